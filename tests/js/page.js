/** What the page's scripts need to run in Node: `fetch` reads the texts from where the server takes them. To be imported before any of them. */

import { readFileSync } from "node:fs";
import { basename } from "node:path";

globalThis.fetch = async (url) => new Response(readFileSync(new URL(`../../rollwise/texts/${basename(String(url)).replace(/-(tables|learn|dial)/, "")}`, import.meta.url)));
