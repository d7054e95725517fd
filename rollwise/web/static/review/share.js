/**
 * Sharing a result: through the system's own dialog where there is one, else by copying text and link.
 */

import { copyText } from "../app/window.js";

/**
 * Share a text and a link, with a picture where that can be shared, too. `copied`: they were copied instead; `text` is what was, or would
 * have been where the browser forbids that.
 *
 * @param {{ text: string, url: string, picture?: File | null }} result
 */
export async function shareResult({ text, url, picture = null }) {
  const whole = `${text}\n${url}`;
  const files = picture ? [picture] : [];
  const data = navigator.canShare?.({ files }) ? { text, url, files } : { text, url };
  if (!navigator.share) return { copied: await copyText(whole), text: whole };
  try {
    await navigator.share(data);
    return { copied: false, text: "" };
  } catch (error) {
    const isLeft = /** @type {Error} */ (error).name === "AbortError";
    return isLeft ? { copied: false, text: "" } : { copied: await copyText(whole), text: whole };
  }
}

/** The name of the game, as the page's title has it. */
export const titleOf = () => document.title.split(" · ")[0];
