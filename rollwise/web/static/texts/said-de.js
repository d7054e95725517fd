/**
 * What the server says, in German: names of boxes, moves, texts of the catalogue, and sentences by what they are made of.
 */

/** @type {Record<string, string>} */
export const boxes = {
  ones: "Einser", twos: "Zweier", threes: "Dreier", fours: "Vierer", fives: "Fünfer", sixes: "Sechser",
  einser: "Einser", zweier: "Zweier", dreier: "Dreier", vierer: "Vierer", fünfer: "Fünfer", sechser: "Sechser",
  dreierpasch: "Dreierpasch", viererpasch: "Viererpasch", "kleine-strasse": "Kleine Straße", "grosse-strasse": "Große Straße",
  pair: "Paar", "two-pair": "Zwei Paare", "two-pairs": "Zwei Paare", "three-pairs": "Drei Paare", "three-of-a-kind": "Dreierpasch", "four-of-a-kind": "Viererpasch",
  "five-of-a-kind": "Fünferpasch", "full-house": "Full House", "full-house-colour": "Full House in einer Farbe", "small-straight": "Kleine Straße", "large-straight": "Große Straße",
  "little-straight": "Kleine Straße", "big-straight": "Große Straße", straight: "Straße", "full-straight": "Volle Straße",
  "odd-straight": "Ungerade Straße", "even-straight": "Gerade Straße", "low-straight": "Niedrige Straße", "high-straight": "Hohe Straße",
  chance: "Chance", choice: "Chance", kniffel: "Kniffel", yahtzee: "Kniffel", yatzy: "Yatzy", yarborough: "Yarborough",
  "maxi-yatzy": "Maxi Yatzy", castle: "Burg", cabin: "Hütte", tower: "Turm", villa: "Villa", house: "Haus", hut: "Hütte", yacht: "Yacht",
  flush: "Eine Farbe", thirteen: "Dreizehn", crag: "Crag", balut: "Balut", generala: "Generala", kismet: "Kismet",
  "three ones": "drei Einsen", "three alike": "drei gleiche",
};

/** Moves of other games. @type {Record<string, string>} */
const MOVES = { hold: "aufhören", bank: "sichern", begin: "beginnen", pass: "abgeben", stop: "aufhören", roll: "würfeln", "roll again": "weiterwürfeln" };

/**
 * Name a move: a box, the dice that stay, or what to do.
 *
 * @param {string} action
 */
export const move = (action) => boxes[action] ?? MOVES[action] ?? action.replace(/^keep /, "halte ").replace(/^roll (\d+)$/, "$1 würfeln");

/** Whole texts: titles, families, labels and help of forms, names of what lies on the table. @type {Record<string, string>} */
const TEXTS = {
  // Games
  "Bear-off": "Auswürfeln", Groups: "Gruppen", "Two-dice Pig": "Pig mit zwei Würfeln", Words: "Wörter", Slots: "Fächer", Threes: "Dreien",
  "score sheets": "Gewinnblöcke", races: "Wettrennen", "press your luck": "Glück versuchen", "words and placing": "Wörter und Legen", tiles: "Klappen", others: "Andere",
  "Seven boxes, each filled four times": "Sieben Felder, jedes viermal",
  "The end of backgammon: all checkers off, in the fewest rolls": "Das Ende von Backgammon: alle Steine hinaus, mit möglichst wenigen Würfen",
  "Climb columns by the sums of dice, and stop in time": "Spalten erklimmen mit Summen von Würfeln, und rechtzeitig aufhören",
  "Three dice, one reroll, thirteen boxes": "Drei Würfel, einmal nachwürfeln, dreizehn Felder",
  "Set scoring dice aside, and bank in time": "Würfel, die zählen, zur Seite legen, und rechtzeitig sichern",
  "First rolls pay more, and five alike at once win": "Erste Würfe zahlen mehr, und fünf gleiche auf Anhieb gewinnen",
  "Roll dice one by one into groups, in the fewest rolls": "Würfel einzeln zu Gruppen würfeln, mit möglichst wenigen Würfen",
  "Roll as many dice as you like, once; any 1 scores nothing": "Einmal mit beliebig vielen Würfeln; mit einer 1 gibt es nichts",
  "Three colours, fifteen boxes, a bonus in steps": "Drei Farben, fünfzehn Felder, ein Bonus in Stufen",
  "The German Yahtzee, without jokers": "Der Klassiker: dreizehn Felder, ohne Joker",
  "Six dice, twenty boxes": "Sechs Würfel, zwanzig Felder",
  "Two players race to 100; a 1 loses the turn": "Zu zweit um die Wette bis 100; eine 1 kostet den Zug",
  "Throw two dice, shut tiles with the same sum": "Zwei Würfel werfen, Klappen mit derselben Summe schließen",
  "Place six dice in six slots to reach 45 points": "Sechs Würfel auf sechs Fächer verteilen, für 45 Punkte",
  "Set dice aside for the fewest points; a 3 counts nothing": "Würfel zur Seite legen, möglichst wenige Punkte; eine 3 zählt nichts",
  "Two players race to 100; two 1s lose everything": "Zu zweit um die Wette bis 100; zwei Einsen kosten alles",
  "Reroll letter dice until they spell a word": "Buchstabenwürfel nachwürfeln, bis ein Wort da liegt",
  "The old game: twelve boxes, no bonus": "Das alte Spiel: zwölf Felder, kein Bonus",
  "Twelve boxes, a bonus, houses by their total": "Zwölf Felder, ein Bonus, Full House nach Augen",
  "The American game: thirteen boxes, jokers": "Das amerikanische Spiel: dreizehn Felder, Joker",
  "The Scandinavian game: fifteen boxes": "Das skandinavische Spiel: fünfzehn Felder",
  "Five dice, eleven boxes, no bonus": "Fünf Würfel, elf Felder, kein Bonus",
  "seven boxes, each filled four times: the highest expected score": "sieben Felder, jedes viermal: im Schnitt möglichst viele Punkte",
  "backgammon's end: bear off all checkers in the fewest rolls, or win the race": "das Ende von Backgammon: alle Steine hinaus mit möglichst wenigen Würfen, oder das Rennen gewinnen",
  "alone, climb three columns by the sums of dice, in the fewest expected turns": "allein drei Spalten erklimmen, in möglichst wenigen Zügen",
  "three dice, one reroll, thirteen boxes: the highest expected score": "drei Würfel, einmal nachwürfeln, dreizehn Felder: im Schnitt möglichst viele Punkte",
  "set scoring dice aside and bank before a roll without points: one turn, or a race of two players": "Würfel, die zählen, zur Seite legen und sichern, bevor ein Wurf nichts bringt: ein Zug, oder ein Rennen zu zweit",
  "ten boxes, more points for a first roll, and a first-roll generala that wins": "zehn Felder, mehr Punkte für den ersten Wurf, und eine Generala auf Anhieb gewinnt",
  "roll dice one by one into groups of given sizes, in the fewest rolls": "Würfel einzeln zu Gruppen würfeln, mit möglichst wenigen Würfen",
  "two players race to 100, each turn with one roll of as many dice as they like; any 1 scores nothing": "zu zweit bis 100, jeder Zug ein Wurf mit beliebig vielen Würfeln; mit einer 1 gibt es nichts",
  "dice with three colours, fifteen boxes, an upper bonus in steps": "Würfel in drei Farben, fünfzehn Felder, oben ein Bonus in Stufen",
  "the German Yahtzee, without jokers": "der Klassiker, ohne Joker",
  "six dice, twenty boxes, 100 points bonus at 84": "sechs Würfel, zwanzig Felder, 100 Punkte Bonus ab 84",
  "two players race to 100 points; a 1 loses the turn: the first player's chance to win": "zu zweit bis 100 Punkte; eine 1 kostet den Zug: die Chance dessen, der beginnt",
  "shut tiles whose sum is thrown: the chance to shut all nine, or the lowest sum left": "Klappen schließen, deren Summe fällt: die Chance auf alle neun, oder möglichst wenig Rest",
  "place six dice in six slots to reach 45 points": "sechs Würfel auf sechs Fächer verteilen, für 45 Punkte",
  "set at least one of five dice aside after every roll; a 3 counts nothing: the lowest expected total": "nach jedem Wurf mindestens einen von fünf Würfeln zur Seite legen; eine 3 zählt nichts: im Schnitt möglichst wenig",
  "Pig with two dice; two 1s lose the whole score: the first player's chance to win": "Pig mit zwei Würfeln; zwei Einsen kosten alle Punkte: die Chance dessen, der beginnt",
  "reroll dice until they spell a word, in the fewest rolls": "nachwürfeln, bis ein Wort da liegt, mit möglichst wenigen Würfen",
  "the old game: five dice, twelve boxes, no bonus": "das alte Spiel: fünf Würfel, zwölf Felder, kein Bonus",
  "twelve boxes, 35 points bonus at 63, full houses by their total": "zwölf Felder, 35 Punkte Bonus ab 63, Full House nach Augen",
  "the American game: thirteen boxes, jokers, bonuses": "das amerikanische Spiel: dreizehn Felder, Joker, Boni",
  "the Scandinavian game: fifteen boxes, 50 points bonus at 63": "das skandinavische Spiel: fünfzehn Felder, 50 Punkte Bonus ab 63",
  "five dice, two rerolls, eleven boxes: the highest expected score": "fünf Würfel, zweimal nachwürfeln, elf Felder: im Schnitt möglichst viele Punkte",
  // Labels of aims and of what may be changed
  "Times each box is filled": "So oft wird jedes Feld gefüllt", "Five alike are a full house": "Fünf gleiche sind ein Full House", Rerolls: "Nachwürfe", "Boxes in play": "Felder im Spiel",
  "Most points": "Möglichst viele Punkte", "Reach a total": "Eine Punktzahl erreichen", "Points to reach": "Punkte, die zu erreichen sind", "Beat a total": "Eine Punktzahl schlagen",
  "Points to beat": "Punkte, die zu schlagen sind", "A tie is": "Gleichstand ist", "Beat one of some totals": "Eine von mehreren Punktzahlen schlagen", Totals: "Punktzahlen",
  "Beat a player for points": "Jemanden schlagen, der auf Punkte spielt", Players: "Spieler", "Checkers of a side": "Steine je Seite", "Where they begin": "Wo sie beginnen",
  "Where the second player's begin": "Wo die des zweiten Spielers beginnen", "Fewest rolls": "Möglichst wenige Würfe", "Sides of a die": "Seiten eines Würfels", "Shortest column": "Kürzeste Spalte",
  Markers: "Marken", "Columns to win": "Spalten zum Sieg", "Fewest turns": "Möglichst wenige Züge", Duel: "Duell", "Duel with a player for points": "Duell gegen jemanden, der auf Punkte spielt",
  "The other moves": "Der andere ist dran", Rules: "Regeln", "Four or more alike": "Vier oder mehr gleiche", Straight: "Straße", "Three pairs": "Drei Paare", "Two triplets": "Zwei Drillinge",
  "First bank": "Erstes Sichern", Dice: "Würfel", "Bank at": "Sichern bei", "Points to win": "Punkte zum Sieg", "The game's own": "Das des Spiels", "Points for a first roll": "Punkte für den ersten Wurf",
  "Points for a generala": "Punkte für eine Generala", "First-roll generala wins": "Generala auf Anhieb gewinnt", "Points for such a win": "Punkte für so einen Sieg",
  "3-4-5-6-1 is a straight": "3-4-5-6-1 ist eine Straße", "Faces of a die": "Seiten eines Würfels", "Sizes of the groups": "Größen der Gruppen", View: "Ansicht", "Dice at most": "Höchstens so viele Würfel",
  Win: "Gewinnen", "Upper bonus, by step": "Bonus oben, je Stufe", "Points for the bonus, by step": "Punkte für den Bonus, je Stufe", "Upper bonus": "Bonus oben", "Points for the bonus": "Punkte für den Bonus",
  "Saved rolls": "Gesparte Würfe", "Faces of the die": "Seiten des Würfels", Tiles: "Klappen", "One die": "Ein Würfel", "Played for": "Gespielt wird um", "Tiles at a time": "Klappen auf einmal",
  "Shut the box": "Alles schließen", "Fewest points": "Möglichst wenige Punkte", "Stay at or below a total": "Unter einer Punktzahl bleiben", "Points at most": "Höchstens so viele Punkte",
  "Reach the target": "Das Ziel erreichen", "Five alike are four of a kind": "Fünf gleiche sind ein Viererpasch", Jokers: "Joker", "Points for another Yahtzee": "Punkte für noch einen Kniffel",
  "Four alike are two pairs": "Vier gleiche sind zwei Paare", "Boxes in order": "Felder der Reihe nach", Boxes: "Felder",
  // Help
  "how often each box is filled": "wie oft jedes Feld gefüllt wird", "rerolls a turn": "Nachwürfe in einem Zug", "boxes in play, by name": "Felder im Spiel, mit ihren englischen Namen",
  "Every move has the highest expected total.": "Jeder Zug bringt im Schnitt die meisten Punkte.",
  "Every move has the best chance of at least so many points.": "Jeder Zug hat die beste Chance auf mindestens so viele Punkte.",
  "points to reach": "Punkte, die zu erreichen sind",
  "Every move has the best chance to beat this final total.": "Jeder Zug hat die beste Chance, diese Endsumme zu schlagen.",
  "what the other ended with": "womit der andere aufgehört hat",
  "what the same total counts: half a win, a win or a loss": "was dieselbe Punktzahl zählt: einen halben Sieg, einen Sieg oder eine Niederlage",
  "The best chance to beat a total that is drawn from these, by weight.": "Die beste Chance, eine dieser Punktzahlen zu schlagen, die nach Gewicht gezogen wird.",
  "totals and weights, such as 180:2,200:5,240:1": "Punktzahlen mit Gewichten, etwa 180:2,200:5,240:1",
  "The best chance to beat the total of one who plays the same game for points, unseen.": "Die beste Chance, jemanden zu schlagen, der dasselbe Spiel verdeckt auf Punkte spielt.",
  "how many such players, of whom the best counts": "wie viele solche Spieler; der beste zählt",
  "checkers of a side": "Steine je Seite", "checkers on each point from the ace on, such as 2/1/0/0/0/3; others are off": "Steine auf jedem Punkt von der Eins an, etwa 2/1/0/0/0/3; die übrigen sind draußen",
  "1: fewest rolls; 2: a race, the chance to win": "1: möglichst wenige Würfe; 2: ein Rennen, die Chance zu gewinnen",
  "with two players, where the second one's checkers begin": "zu zweit: wo die Steine des zweiten beginnen",
  "Every move leads to the fewest expected rolls.": "Jeder Zug führt im Schnitt zu den wenigsten Würfen.", "sides of a die": "Seiten eines Würfels",
  "steps of the outer columns; each further in has two more": "Stufen der äußeren Spalten; jede weiter innen hat zwei mehr", "columns that may be climbed in one turn": "Spalten, die in einem Zug erklommen werden dürfen",
  "columns to finish": "Spalten, die voll sein müssen", "Every move leads to the fewest expected turns.": "Jeder Zug führt im Schnitt zu den wenigsten Zügen.",
  "Two players with a sheet each take turns, and both play to win.": "Zwei mit je einem Block sind abwechselnd dran, und beide spielen auf Sieg.",
  "The best chance to win a duel with one who plays for his own points.": "Die beste Chance im Duell gegen jemanden, der nur auf seine Punkte spielt.", "when the player for points moves": "wann dran ist, wer auf Punkte spielt",
  "what scores": "was zählt", "four or more alike: nothing more, 2-3-4 times the three, 2-4-8 times, or 1000-2000-3000": "vier oder mehr gleiche: nicht mehr, das 2-3-4-Fache der drei, das 2-4-8-Fache, oder 1000-2000-3000",
  "points for 1 to 6 (-1: as the rules say)": "Punkte für 1 bis 6 (-1: wie in den Regeln)", "points for three pairs, and for four alike and a pair where these count (-1: as the rules say)": "Punkte für drei Paare, und für vier gleiche und ein Paar, wo sie zählen (-1: wie in den Regeln)",
  "points for two triplets (-1: as the rules say)": "Punkte für zwei Drillinge (-1: wie in den Regeln)", "points that a player's first bank needs (-1: as the rules say)": "Punkte, die das erste Sichern braucht (-1: wie in den Regeln)",
  "dice of a turn": "Würfel eines Zugs", "one turn: points at which one must bank (-1: so many that it costs nothing)": "ein Zug: Punkte, bei denen gesichert werden muss (-1: so viele, dass es nichts kostet)",
  "1: one turn for points, 2: a race": "1: ein Zug auf Punkte, 2: ein Rennen", "points to win the race": "Punkte, mit denen das Rennen gewonnen ist", "What the game itself is played for.": "Worum das Spiel selbst geht.",
  "more points for a straight, full house or four of a kind of a first roll": "mehr Punkte für Straße, Full House oder Viererpasch im ersten Wurf", "points for a generala": "Punkte für eine Generala",
  "points that such a win counts for": "Punkte, die so ein Sieg zählt", "faces of each die (M)": "Seiten jedes Würfels (M)", "group sizes A_1,...,A_K": "Größen der Gruppen A_1,...,A_K",
  "dice that may be rolled, at most": "Würfel, die höchstens geworfen werden dürfen", "faces of each die": "Seiten jedes Würfels", "Every move has the best chance to reach the target first.": "Jeder Zug hat die beste Chance, zuerst am Ziel zu sein.",
  "points by step of the upper bonus, with commas": "Punkte je Stufe des Bonus, mit Kommas", "points in the upper boxes, by step": "Punkte in den oberen Feldern, je Stufe",
  "points once the upper boxes hold the threshold": "Punkte, sobald die oberen Felder die Schwelle erreichen", "points in the upper boxes that earn the bonus": "Punkte in den oberen Feldern, die den Bonus bringen",
  "faces of the die": "Seiten des Würfels", "how many tiles: 1, 2, 3 and so on": "wie viele Klappen: 1, 2, 3 und so weiter", "when one die may be thrown": "wann mit einem Würfel geworfen werden darf",
  "what one player plays for: the box shut, or the lowest sum": "worum einer allein spielt: alles schließen, oder die kleinste Summe", "tiles that may be shut after a throw, at most": "Klappen, die nach einem Wurf höchstens geschlossen werden dürfen",
  "one, or two in turn, of whom the lower sum wins": "einer, oder zwei nacheinander: die kleinere Summe gewinnt", "Every move has the best chance to shut all tiles.": "Jeder Zug hat die beste Chance, alle Klappen zu schließen.",
  "Every move has the lowest expected total.": "Jeder Zug bringt im Schnitt die wenigsten Punkte.", "Every move has the best chance of at most so many points.": "Jeder Zug hat die beste Chance auf höchstens so viele Punkte.",
  "points to stay at or below": "Punkte, die nicht überschritten werden dürfen", "slots as NAME:a/b/c/d/e/f,... (points for each face)": "Fächer als NAME:a/b/c/d/e/f,... (Punkte für jede Seite)",
  "Every move has the best chance of the points to reach.": "Jeder Zug hat die beste Chance auf das Punkteziel.", "how many dice": "wie viele Würfel", "the dice, symbols of each: ABCDEF,GHIJKL,...": "die Würfel, mit ihren Zeichen: ABCDEF,GHIJKL,...",
  "WORD,WORD,... or @FILE": "WORT,WORT,... oder @DATEI", "points for each joker while the yahtzee box holds 50": "Punkte für jeden Joker, solange im Feld Kniffel 50 stehen",
  "points in the upper boxes that earn the upper bonus": "Punkte in den oberen Feldern, die den Bonus bringen",
  // What is usual, and choices
  "all seven": "alle sieben", "all ten": "alle zehn", "all eleven": "alle elf", "all twelve": "alle zwölf", "all thirteen": "alle dreizehn", "all fifteen": "alle fünfzehn", "all twenty": "alle zwanzig",
  "all on the ace point": "alle auf der Eins", "as the first one's": "wie beim ersten", "any number": "beliebig viele", "the six standard ones": "die sechs üblichen", "100, or 0 with joker=none": "100, ohne Joker 0",
  first: "zuerst", second: "als Zweiter", basic: "einfach", rules: "wie in den Regeln", none: "keine", multiply: "vervielfacht", double: "verdoppelt", flat: "fest", never: "nie", sum6: "ab Summe 6",
  789: "wenn 7, 8 und 9 zu sind", shut: "alles schließen", sum: "kleinste Summe", free: "frei", forced: "erzwungen", sizes: "Größen", raw: "Augen",
  // What lies on the table
  "open boxes": "offene Felder", "rerolls left": "Nachwürfe übrig", "upper total": "oben", rolled: "geworfen", open: "offen", "their sum": "ihre Summe", thrown: "geworfen", "dice to throw": "Würfel zu werfen",
  "sum to beat": "Summe zu schlagen", turn: "Zug", points: "Punkte", "turn total": "in diesem Zug", "points set aside this turn": "Punkte in diesem Zug", "dice rolled": "gewürfelt", "dice to roll": "Würfel zu werfen",
  "just rolled": "gerade gewürfelt", checkers: "Steine", "borne off": "draußen", "pips to go": "Augen übrig", dice: "Würfel", "to move": "am Zug", "first player": "erster Spieler", "second player": "zweiter Spieler", score: "Punkte", hand: "Hand", "open tiles": "offene Klappen", total: "Summe",
  // Rules
  "Throw two dice. Each moves a checker down by its number, in either order; a double is played four times.": "Wirf zwei Würfel. Jeder zieht einen Stein um seine Augen weiter, in beliebiger Reihenfolge; ein Pasch wird viermal gespielt.",
  "A checker on the point of a die may be borne off. A die that is larger than every point with a checker bears off one from the highest point; otherwise the die must be moved inside.": "Ein Stein auf dem Punkt eines Würfels darf hinaus. Ist ein Würfel größer als jeder besetzte Punkt, geht ein Stein vom höchsten Punkt hinaus; sonst muss innen gezogen werden.",
  "Every throw counts one. The fewest throws are best.": "Jeder Wurf zählt eins. Je weniger, desto besser.",
  "Then stop, and keep the steps; or roll again. When no sum can move, all steps of this turn are lost. A column at the top is closed.": "Dann hör auf und behalte die Stufen, oder würfle weiter. Kann keine Summe ziehen, sind alle Stufen dieses Zugs verloren. Eine Spalte, die oben ist, ist geschlossen.",
  "If none of them shows a 1 you score what they show in all; else nothing.": "Zeigt keiner eine 1, bekommst du alle Augen; sonst nichts.",
  "On a turn roll as often as you like and add up what the die shows. Hold, and the points of the turn are yours; but a 1 loses them, and ends the turn, too.": "Wenn du dran bist, würfle so oft du willst und zähle die Augen zusammen. Hörst du auf, gehören die Punkte dir; eine 1 aber kostet sie und beendet den Zug.",
  "On a turn roll both dice as often as you like and add up what they show. Hold, and the points of the turn are yours; but a 1 loses them, and ends the turn, too. Two 1s lose your whole score.": "Wenn du dran bist, würfle mit beiden Würfeln so oft du willst und zähle die Augen zusammen. Hörst du auf, gehören die Punkte dir; eine 1 aber kostet sie und beendet den Zug. Zwei Einsen kosten alle deine Punkte.",
  "You win by shutting the box: all tiles.": "Du gewinnst, wenn alle Klappen zu sind.",
  "What the dice show is added up, but a 3 counts nothing. The fewest points are best.": "Gezählt werden die Augen, aber eine 3 zählt nichts. Je weniger Punkte, desto besser.",
  "Every roll counts one. The fewest rolls are best.": "Jeder Wurf zählt eins. Je weniger, desto besser.",
  "Every roll counts one, the first one, too. The fewest rolls are best.": "Jeder Wurf zählt eins, auch der erste. Je weniger, desto besser.",
  "The lower the sum of the tiles that stay open, the better.": "Je kleiner die Summe der offenen Klappen, desto besser.",
  "The first player's turn goes on until nothing fits; then all tiles are opened for the second. The lower sum of open tiles wins; the same sum is a tie, which counts half.": "Der erste spielt, bis nichts mehr passt; dann werden alle Klappen für den zweiten geöffnet. Die kleinere Summe gewinnt; dieselbe ist ein Gleichstand und zählt halb.",
  "the opponent is out of reach: every move is worth the same": "der Gegner ist nicht mehr einzuholen: jeder Zug ist gleich gut", "the opponent is beaten for certain with best play": "der Gegner ist sicher geschlagen, wenn du gut spielst",
  nothing: "nichts",
  // Groups
  "rolls this die again": "würfelt diesen Würfel noch einmal", "the die fits no group, roll it again": "der Würfel passt in keine Gruppe, wirf ihn noch einmal",
  // What is being done
  exploring: "Stellungen gefunden", solving: "Stellungen gelöst", following: "verfolgt", "rolls followed": "Würfe verfolgt", "turns followed": "Züge verfolgt", "positions read": "Stellungen gelesen", "moves read": "Züge gelesen",
  playing: "gespielt", writing: "geschrieben", waiting: "wartet", "positions listed": "Stellungen aufgezählt", "moves explained": "Züge erklärt", "looking ahead": "vorausgeschaut", "lines graded": "Zeilen bewertet", "hands looked at": "Würfe angesehen",
  // Faults
  "there is not enough memory for this here: use the command line": "dafür reicht der Speicher hier nicht: nimm die Befehlszeile",
  "The table of this game is damaged: load it again": "Die Tabelle dieses Spiels ist beschädigt: lade sie noch einmal",
  "The table of this game is of another version: load the page and the game again": "Die Tabelle dieses Spiels ist von einer anderen Version: lade die Seite und das Spiel neu",
  "The table of this game is of a kind that this page does not know: load the page again": "Die Tabelle dieses Spiels ist von einer Art, die diese Seite nicht kennt: lade die Seite neu",
  "So early in a game there are too many ways to follow all of them on this page: that needs the server": "So früh im Spiel gibt es zu viele Wege, um hier allen zu folgen: dafür braucht es den Server",
  "Without the server the other side can be played by the best strategy only": "Ohne Server spielt die andere Seite immer am besten",
  "there is no such file": "diese Datei gibt es nicht",
};

const NUMBERS = { no: "kein", one: "ein", two: "zwei", three: "drei", four: "vier", five: "fünf", six: "sechs" };
/** @param {string} text */
const number = (text) => NUMBERS[/** @type {keyof typeof NUMBERS} */ (text)] ?? text;
const BOX = "([\\p{L}\\d-]+)";
const SUM = "the total of all dice(?: and (\\d+) points)?";
/** @param {string | undefined} more */
const sum = (more) => (more ? `die Augen aller Würfel und ${more} Punkte` : "die Augen aller Würfel");
/** @param {string} text @param {string} one @param {string} many */
const counted = (text, one, many) => (text === "1" ? `1 ${one}` : `${text} ${many}`);

/**
 * Sentences and parts of them, and what they become; `$1` is what stands in the first brackets.
 *
 * @type {[RegExp, string | ((...found: string[]) => string)][]}
 */
const SENTENCES = [
  // Why: score sheets and duels
  [/\bkeeps (?=[\d-])/g, "hält "],
  [/\brolls all dice again\b/g, "würfelt alle noch einmal"],
  [/ and uses one of (\d+) rolls left\b/g, " und nimmt einen von $1 übrigen Würfen"],
  [/ and uses the only roll left\b/g, " und nimmt den einzigen übrigen Wurf"],
  [/, and saves (\d+) rolls?\b/g, (_, n) => ` und spart ${counted(n, "Wurf", "Würfe")}`],
  [new RegExp(`\\bwins at once with ${BOX}, worth (\\d+)`, "gu"), "gewinnt sofort mit $1, das zählt $2"],
  [new RegExp(`\\bputs (-?\\d+) in ${BOX}`, "gu"), "schreibt $1 bei $2"],
  [new RegExp(`\\bgives up the sure ${BOX}`, "gu"), "verschenkt $1"],
  [new RegExp(`\\bgives up ${BOX}`, "gu"), "streicht $1"],
  [/, upper total (\d+) of (\d+)/g, ", oben $1 von $2"],
  [/, (\d+) of it for the first roll\b/g, ", davon $1 für den ersten Wurf"],
  [/, and earns (\d+) bonus\b/g, " und bekommt $1 Bonus"],
  [new RegExp(`\\bspares ${BOX}`, "gu"), "schont $1"],
  [/\bmore in (?=\S+ [+-])/g, "mehr bei "],
  [/\bless in (?=\S+ [+-])/g, "weniger bei "],
  [new RegExp(`\\bless ${BOX}`, "gu"), "weniger $1"],
  [new RegExp(`\\brisks (?!\\d)${BOX}`, "gu"), "riskiert $1"],
  [/\bthe bonus\b/g, "der Bonus"],
  [/\bthe box\b(?=[ ;,]+[+-]|$)/g, "das Feld"],
  [new RegExp(`\\banother ${BOX}(?= [+-])`, "gu"), "noch ein $1"],
  [/\bleads by (\d+) with /g, "führt mit $1, noch "],
  [/\btrails by (\d+) with /g, "liegt $1 zurück, noch "],
  [/\bis level with /g, "liegt gleichauf, noch "],
  [/\bnoch (\d+) box(?:es)? to go\b/g, (_, n) => `noch ${counted(n, "Feld", "Felder")}`],
  [/; (-?[\d,]+) still needed from (\d+) (?:box|boxes|slots?)$/g, (_, need, n) => `; noch ${need} aus ${counted(n, "Feld", "Feldern")} nötig`],
  [/; (-?[\d,]+) still needed$/g, "; noch $1 nötig"],
  [/; falls short by (-?[\d,]+)$/g, "; es fehlen $1"],
  [/; (\d+) points? to spare(?: with (\d+) box(?:es)? to go)?$/g, (_, n, left) => `; ${counted(n, "Punkt", "Punkte")} übrig${left ? `, noch ${counted(left, "Feld", "Felder")}` : ""}`],
  [/; (-?[\d,]+) so far(?:, (\d+) box(?:es)? to go)?$/g, (_, n, left) => `; bisher ${n}${left ? `, noch ${counted(left, "Feld", "Felder")}` : ""}`],
  [/\bover (\d+) %/g, "über $1 %"],
  // Why: slots, pig, threes, shut the box, farkle, hog, words and groups
  [/^(\S+) makes (-?\d+) of the (\d+)/g, "$1 macht $2 aus der $3"],
  [/; reaches the target\b/g, "; das Ziel ist erreicht"],
  [/; leaves (-?\d+) to get in (\d+) slots?\b/g, (_, need, n) => `; noch ${need} aus ${n === "1" ? "einem Fach" : `${n} Fächern`}`],
  [/; falls short\b/g, "; das reicht nicht"],
  [/; ends with (-?\d+), which wins with (.*)$/g, "; endet mit $1, das gewinnt mit $2"],
  [/\bbanks ([\d,]+) and wins\b/g, "sichert $1 und gewinnt"],
  [/\bbanks ([\d,]+): ([\d,]+) to ([\d,]+)/g, "sichert $1: $2 zu $3"],
  [/\bbanks ([\d,]+)/g, "sichert $1"],
  [/\bbegins the turn\b/g, "beginnt den Zug"],
  [/\brisks ([\d,]+) with (\S+ %)(?:, and (\d+) with (\S+ %))?/g, (_, turn, chance, all, both) => `riskiert ${turn} mit ${chance}${all ? ` und ${all} mit ${both}` : ""}`],
  [/\bsets ([\d ]+) aside for (\d+) points?, and ends\b/g, (_, dice, n) => `legt ${dice} für ${counted(n, "Punkt", "Punkte")} zur Seite, und fertig`],
  [/\bsets ([\d ]+) aside for (\d+) points?, and rolls the last one\b/g, (_, dice, n) => `legt ${dice} für ${counted(n, "Punkt", "Punkte")} zur Seite und würfelt den letzten`],
  [/\bsets ([\d ]+) aside for (\d+) points?, and rolls the other (\d+)/g, (_, dice, n, left) => `legt ${dice} für ${counted(n, "Punkt", "Punkte")} zur Seite und würfelt die anderen ${left}`],
  [/\bleaves (\d+) to beat\b/g, "lässt $1 zu schlagen"],
  [/\bshuts the box: the other can only tie\b/g, "schließt alles: der andere kann nur noch gleichziehen"],
  [/\bshuts the box, which ties\b/g, "schließt alles und zieht gleich"],
  [/\bshuts the box, and wins\b/g, "schließt alles und gewinnt"],
  [/\bshuts the box\b/g, "schließt alles"],
  [/\bleaves (\S+), (\d+) in all\b/g, "lässt $1 offen, zusammen $2"],
  [/: lower than (\d+), and wins\b/g, ": weniger als $1, und gewinnt"],
  [/\bone die or two may be thrown next\b/g, "als Nächstes mit einem oder zwei Würfeln"],
  [/\bthe next throw fits with /g, "der nächste Wurf passt mit "],
  [/\bthrows one die\b/g, "wirft einen Würfel"],
  [/\bthrows two dice\b/g, "wirft zwei Würfel"],
  [/\btakes ([\d,]+) and rolls (\d+) new dice, as all have scored\b/g, "nimmt $1 und würfelt mit $2 neuen Würfeln, da alle gezählt haben"],
  [/\btakes ([\d,]+) and rolls (\d+) (?:die|dice)\b/g, (_, points, n) => `nimmt ${points} und würfelt mit ${counted(n, "Würfel", "Würfeln")}`],
  [/: (\S+ %) lose the ([\d,]+) points so far\b/g, ": mit $1 sind die $2 Punkte weg"],
  [/: nothing can be lost\b/g, ": nichts kann verloren gehen"],
  [/\bscores with (.+ %), then (\S+) on average\b/g, "punktet mit $1, dann $2 im Schnitt"],
  [/; wins at once with /g, "; gewinnt sofort mit "],
  [/^keeps the die: groups (\S+), (\d+) (?:die|dice) to go$/g, "behält den Würfel: Gruppen $1, noch $2 Würfel"],
  [/\bholds nothing\b/g, "hält nichts"],
  [/\bholds (\S+);/g, "hält $1;"],
  [/; the next roll spells a word with /g, "; der nächste Wurf ergibt ein Wort mit "],
  [/; the next roll shows a goal with /g, "; der nächste Wurf trifft das Ziel mit "],
  // Rules of score sheets
  [/\bOn each turn roll (\d+) (?:die|dice)(?: with faces from 1 to (\d+))?(?:, then any of them again, up to (\d+) times?)?\./g, (_, n, faces, times) =>
    `Würfle in jedem Zug mit ${counted(n, "Würfel", "Würfeln")}${faces ? ` mit Seiten von 1 bis ${faces}` : ""}${times ? `, dann beliebige davon noch einmal, bis zu ${times}-mal` : ""}.`],
  [/ Rolls that are not used are saved: they may be used on any later turn\./g, " Nicht genutzte Würfe werden gespart: für jeden späteren Zug."],
  [/\bThen fill (one open box of your choice|the next box from top to bottom) with them: it pays what they make, which may be nothing\./g, (_, where) =>
    `Dann trage sie ${where.startsWith("one") ? "in ein offenes Feld deiner Wahl" : "in das nächste Feld von oben nach unten"} ein: es zählt, was sie ergeben, vielleicht nichts.`],
  [/\bEvery box is filled (once|twice|(\d+) times);/g, (_, times, n) => `Jedes Feld wird ${n ? `${n}-mal` : times === "once" ? "einmal" : "zweimal"} gefüllt;`],
  [/\bBoxes are filled so often: ([^;]+);/g, (_, list) => `So oft werden Felder gefüllt: ${list.replace(/\bonce\b/g, "einmal").replace(/\btwice\b/g, "zweimal").replace(/(\d+) times/g, "$1-mal")};`],
  [/ the game ends after (\d+) turns?\. The highest total is best\./g, (_, n) => ` das Spiel endet nach ${counted(n, "Zug", "Zügen")}. Die höchste Summe ist die beste.`],
  [/\bThe first roll of a turn earns (\d+) points? more in (.+), if it is not rolled again\./g, (_, n, list) => `Der erste Wurf eines Zugs bringt ${counted(n, "Punkt", "Punkte")} mehr bei ${list}, wenn nicht nachgewürfelt wird.`],
  [/\bA first roll that fills (\S+) with points wins at once: it counts for (\d+), and the game is over\./g, "Wer $1 mit dem ersten Wurf schafft, gewinnt sofort: es zählt $2, und das Spiel ist aus."],
  [/\bThe upper boxes, (\S+) to (\S+), earn (\d+) points more once they hold (\d+) in all((?:, \d+ from \d+ on)*)\./g, (_, low, high, n, from, more) =>
    `Die oberen Felder, ${low} bis ${high}, bringen ${n} Punkte mehr, sobald zusammen ${from} in ihnen stehen${more.replace(/(\d+) from (\d+) on/g, "$1 ab $2")}.`],
  [/\b(\d+) equal dice, once (\S+) is filled, are a joker: /g, "$1 gleiche Würfel sind ein Joker, sobald $2 gefüllt ist: "],
  [/\bthey must go to the upper box of their face; if it is filled, to an open lower box(?: \(where ([^)]+)\))?; else to any open box\./g, (_, pays) =>
    `sie müssen in das obere Feld ihrer Augen; ist es gefüllt, in ein offenes unteres${pays ? ` (dort zählt ${pays.replace(/ pays /g, " ")})` : ""}; sonst in irgendein offenes Feld.`],
  [/\bthey may go to any open box(?:; once the upper box of their face is filled, ([^.]+))?\./g, (_, pays) =>
    `sie dürfen in jedes offene Feld${pays ? `; ist das obere Feld ihrer Augen gefüllt, zählt ${pays.replace(/ pays /g, " ")}` : ""}.`],
  [/\bA joker earns (\d+) points more if (\S+) holds points\./g, "Ein Joker bringt $1 Punkte mehr, wenn in $2 Punkte stehen."],
  // What boxes pay
  [/^at most (\d+) points?$/g, (_, n) => `höchstens ${counted(n, "Punkt", "Punkte")}`],
  [/^the total of the dice that show (\d+)$/g, "die Augen der Würfel, die eine $1 zeigen"],
  [/^the total of ([\d-]+) or ([\d-]+)$/g, "die Augen von $1 oder $2"],
  [new RegExp(`^${SUM}, if all are equal$`, "g"), (_, more) => `${sum(more)}, wenn alle gleich sind`],
  [new RegExp(`^${SUM}, if at least (\\w+) of them are equal(, but not all)?$`, "g"), (_, more, n, not) => `${sum(more)}, wenn mindestens ${number(n)} gleich sind${not ? ", aber nicht alle" : ""}`],
  [new RegExp(`^${SUM}, for two pairs of one colour`, "g"), (_, more) => `${sum(more)}, für zwei Paare in einer Farbe`],
  [new RegExp(`^${SUM}, for three of one face and two of another`, "g"), (_, more) => `${sum(more)}, für drei gleiche und zwei andere gleiche`],
  [new RegExp(`^${SUM}$`, "g"), (_, more) => sum(more)],
  [/^(\d+) points for three of one face and two of another/g, "$1 Punkte für drei gleiche und zwei andere gleiche"],
  [/ of its colour(?= \()/g, " in derselben Farbe"],
  [/\(1 and 6, 2 and 5, 3 and 4\)/g, "(1 und 6, 2 und 5, 3 und 4)"],
  [/; (\w+) equal dice count, too/g, (_, n) => `; ${number(n)} gleiche zählen auch`],
  [/^(\d+) points for (\w+) equal dice/g, (_, points, n) => `${points} Punkte für ${number(n)} gleiche`],
  [/; five count, too/g, "; fünf zählen auch"],
  [/^(\d+) points for (\w+) faces in a row$/g, (_, points, n) => `${points} Punkte für ${number(n)} aufeinanderfolgende`],
  [/^(\d+) points for ([\d-]+)$/g, "$1 Punkte für $2"],
  [/^(\d+) points if all dice are equal$/g, "$1 Punkte, wenn alle gleich sind"],
  [/^(\d+) points if all dice have one colour/g, "$1 Punkte, wenn alle eine Farbe haben"],
  [/^(\d+) points for a total of (\d+)( with a pair)?$/g, (_, n, total, pair) => `${n} Punkte für zusammen ${total}${pair ? " mit einem Paar" : ""}`],
  [/^the total of (\w+) equal dice, the highest if there are several$/g, (_, n) => `die Augen von ${n === "two" ? "zwei" : number(n)} gleichen, den höchsten, wenn es mehrere gibt`],
  [/^the total of ([\w, ]+) equal dice, of (different faces|faces that may be the same)$/g, (_, list, faces) =>
    `die Augen von ${list.replace(/\band\b/g, "und").replace(/\b(?:two|three|four|five)\b/g, number)} gleichen, ${faces.startsWith("different") ? "mit verschiedenen Augen" : "die Augen dürfen dieselben sein"}`],
  [/^([\d,]+) each$/g, "je $1"],
  [/^(\d+) times the face$/g, "$1 mal die Augen"],
  [/(-?\d+) for an? (\d+)/g, "$1 für eine $2"],
  // Rules of other games
  [/^One side of backgammon bears off its checkers, which begin as (\S+) on points 1 to 6\./g, "Eine Seite von Backgammon würfelt ihre Steine aus; sie beginnen als $1 auf den Punkten 1 bis 6."],
  [/^There is a column for every sum of two dice of (\d+) sides, from (\d+) to (\d+): they have ([\d, ]+) steps\./g, "Für jede Summe zweier Würfel mit $1 Seiten gibt es eine Spalte, von $2 bis $3: mit $4 Stufen."],
  [/^A turn begins with (\d+) free markers\. .*$/g, "Ein Zug beginnt mit $1 freien Marken. Wirf vier Würfel und mache zwei Paare daraus: die Summe jedes Paars rückt in ihrer Spalte eine Stufe hinauf, mit der Marke dort oder einer freien. Kann eine nicht ziehen, zieht die andere."],
  [/^Finish (\d+) columns in as few turns as possible\./g, "Bringe $1 Spalten in möglichst wenigen Zügen nach oben."],
  [/^Roll (\d+) dice, and set aside at least one that scores\. .*$/g, "Wirf $1 Würfel und lege mindestens einen zur Seite, der zählt. Dann sichere die Punkte des Zugs, oder würfle mit den übrigen und lege wieder etwas zur Seite; Kombinationen zählen nur in einem Wurf. Haben alle gezählt, sind alle neu. Ein Wurf, in dem nichts zählt, ist ein Farkle: der Zug endet, und seine Punkte sind verloren."],
  [/^With ([\d,]+) points or more banking is best, and rolling on is not offered\./g, "Ab $1 Punkten ist Sichern am besten, und weiterzuwürfeln gibt es nicht."],
  [/^Two players take turns and race to (\d+) points\. On a turn say how many dice(?: of (\d+) faces)? to roll, up to (\d+), and roll them once\./g, (_, target, faces, most) => `Zwei sind abwechselnd dran und spielen um die Wette bis ${target} Punkte. Sag, mit wie vielen Würfeln${faces ? ` mit ${faces} Seiten` : ""} du würfelst, höchstens ${most}, und wirf sie einmal.`],
  [/^Two players take turns and race to (\d+) points with one die of (\d+) faces\./g, "Zwei sind abwechselnd dran und spielen um die Wette bis $1 Punkte, mit einem Würfel mit $2 Seiten."],
  [/^Two players take turns and race to (\d+) points with two dice\./g, "Zwei sind abwechselnd dran und spielen um die Wette bis $1 Punkte, mit zwei Würfeln."],
  [/^Whoever gets (\d+) points first wins(; the points of the turn count for that)?\./g, (_, n, turn) => `Wer zuerst ${n} Punkte hat, gewinnt${turn ? "; die Punkte des Zugs zählen dabei mit" : ""}.`],
  [/^The tiles 1 to (\d+) are open\. Throw two dice, and shut open tiles of your choice that add up to the throw; then throw again\. When no open tiles fit, it is over\./g, "Die Klappen 1 bis $1 sind offen. Wirf zwei Würfel und schließe offene Klappen deiner Wahl, die zusammen den Wurf ergeben; dann wirf wieder. Passen keine mehr, ist es aus."],
  [/^On each turn roll one die and place it in a free slot, which makes points of it\. There are (\d+) slots, each for one die; the game ends when all are filled\./g, "Wirf in jedem Zug einen Würfel und lege ihn in ein freies Fach, das Punkte daraus macht. Es gibt $1 Fächer, jedes für einen Würfel; das Spiel endet, wenn alle voll sind."],
  [/^You win with a total of at least (\d+)\./g, "Du gewinnst mit einer Summe von mindestens $1."],
  [/^Roll (\d+) dice\. After every roll set at least one of the dice aside, and roll the rest again, until all are aside\./g, "Wirf $1 Würfel. Lege nach jedem Wurf mindestens einen zur Seite und wirf die übrigen noch einmal, bis alle zur Seite liegen."],
  [/^(.*?)(?: (When the open tiles add up to 6 or less|When no tile above 6 is open), one die may be thrown in place of two\.)(.*)$/g, (_, before, when, after) => `${before} ${when.startsWith("When the") ? "Ergeben die offenen Klappen zusammen höchstens 6" : "Ist keine Klappe über 6 offen"}, darf mit einem statt mit zwei Würfeln geworfen werden.${after}`],
  [/ At most (\d+) tiles may be shut after a throw\./g, " Nach einem Wurf dürfen höchstens $1 Klappen geschlossen werden."],
  [/^A bank needs (\d+) points\./g, "Sichern braucht $1 Punkte."],
  [/^A player's first bank needs (\d+) points\./g, "Das erste Sichern braucht $1 Punkte."],
  [/^Two players take turns\. Whoever banks a score of at least ([\d,]+) wins at once: no last round\./g, "Zwei sind abwechselnd dran. Wer mindestens $1 Punkte gesichert hat, gewinnt sofort: keine letzte Runde."],
  [/^Roll (\d+) (?:die|dice) of (\d+) faces one after another\. The last one may be rolled again as often as you like; it stays once you roll the next one\./g, "Wirf $1 Würfel mit $2 Seiten, einen nach dem anderen. Den letzten darfst du nachwürfeln, so oft du willst; er bleibt, sobald du den nächsten wirfst."],
  [/^Roll (\d+) (?:die|dice) with letters on their faces\. As long as they do not spell a word of the list, in some order, roll any of them again\./g, "Wirf $1 Würfel mit Buchstaben. Solange sie kein Wort der Liste ergeben, in irgendeiner Reihenfolge, würfle beliebige davon noch einmal."],
  [/^In the end the dice must form groups of (.+): that many of one face, each group of another face\./g, (_, sizes) => `Am Ende müssen die Würfel Gruppen von ${sizes.replace(" and ", " und ")} bilden: so viele gleiche, jede Gruppe mit anderen Augen.`],
  // Nothing left to play for
  [/^([\d,]+) points( or fewer)? are out of reach: every move is worth the same$/g, (_, n, fewer) => `${fewer ? "höchstens " : ""}${n} Punkte sind nicht mehr zu schaffen: jeder Zug ist gleich gut`],
  [/^([\d,]+) points( or fewer)? are certain with best play$/g, (_, n, fewer) => `${fewer ? "höchstens " : ""}${n} Punkte sind sicher, wenn du gut spielst`],
  // Faults that a player may meet
  [/^there is no solve named .*$/g, "diese Rechnung gibt es nicht mehr: beginne das Spiel neu"],
  [/^how the game may end is being worked out, once for all positions(.*): ask again in a moment$/g, "wie das Spiel enden kann, wird gerade ausgerechnet, einmal für alle Stellungen$1: frag gleich noch einmal"],
  [/^(\S+) could not be loaded: this device is offline, or the file is not there$/g, "$1 konnte nicht geladen werden: dieses Gerät ist offline, oder die Datei fehlt"],
  [/^state (.+) does not occur in this game: check it against the rules$/g, "die Stellung $1 kommt in diesem Spiel nicht vor: vergleiche sie mit den Regeln"],
  [/^'(.+)' is no position that this game can come to from its start$/g, "„$1“ ist keine Stellung, zu der dieses Spiel kommen kann"],
  [/^the game is over in (.+): there is no move to make$/g, "das Spiel ist aus in $1: es gibt keinen Zug"],
  [/^dice '(.*)' in '(.*)': expected (\d+) faces from 1 to (\d+)$/g, "Würfel „$1“ in „$2“: erwartet werden $3 Augenzahlen von 1 bis $4"],
  [/^(\d+) rerolls left in '(.*)': there are at most (\d+)$/g, "$1 Nachwürfe übrig in „$2“: es sind höchstens $3"],
  [/^upper (\d+) in '(.*)' does not occur: the upper boxes that are filled hold at most (\d+)$/g, "oben $1 in „$2“ kommt nicht vor: in den gefüllten oberen Feldern stehen höchstens $3"],
  [/^unknown game '(.*)'.*$/g, "das Spiel „$1“ ist unbekannt"],
  [/^not worked out: /g, "nicht ausgerechnet: "],
  [/^'?(.*?)'? is not a position: expected .*, such as '(.*)'$/g, "„$1“ ist keine Stellung: erwartet wird etwas wie „$2“"],
  [/^(\d+) of (\d+)$/g, "$1 von $2"],
];

const BOXES = new RegExp(`(?<![\\p{L}\\d-])(?:${Object.keys(boxes).sort((a, b) => b.length - a.length).join("|")})(?![\\p{L}-])`, "gu");
const FIGURES = /\d{1,3}(?:,\d{3})+(?![\d,])|\d\.(?=\d)/g;

/**
 * Say a text or a sentence.
 *
 * @param {string} text
 * @returns {string}
 */
export function say(text) {
  if (!text || Object.hasOwn(TEXTS, text)) return TEXTS[text] ?? text;
  const now = SENTENCES.reduce((told, [found, german]) => told.replace(found, /** @type {any} */ (german)), text);
  if (now === text && !/^[\p{Ll}\d:-]+(?:, ?[\p{Ll}\d:-]+)*$/u.test(text)) return text;
  return now.replace(BOXES, (name) => boxes[name]).replace(FIGURES, (figure) => (figure.endsWith(".") ? figure.replace(".", ",") : figure.replaceAll(",", ".")));
}
