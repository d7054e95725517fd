/**
 * The page as an app: kept for when there is no connection, and installed on a device. What it says then is in offline/notice.js.
 */

import { isAway, isSite, look } from "./connection.js";

/** Begin: the page stands, and nothing of it waits. */
export function begin() {
  keepPage();
  offerInstall();
  document.addEventListener("connection", showNotice);
  if (isAway()) showNotice();
  if (isSite || !("caches" in globalThis)) return;
  addEventListener("offline", () => void look());
  // Where the page itself came from what is kept, nobody has asked the server yet.
  if (navigator.serviceWorker?.controller) look();
}

/** Have the service worker keep the page, where the browser and the address allow it. */
function keepPage() {
  navigator.serviceWorker?.register("sw.js").catch(() => {});
}

/** Offer to install the page where the browser does. */
function offerInstall() {
  const place = /** @type {HTMLElement} */ (document.getElementById("install"));
  /** @type {any} */
  let offer = null;
  place.addEventListener("click", async () => {
    place.hidden = true;
    await offer?.prompt();
  });
  addEventListener("beforeinstallprompt", (event) => {
    event.preventDefault();
    offer = event;
    place.hidden = false;
  });
  addEventListener("appinstalled", () => (place.hidden = true));
}

/** Say whether there is a connection. */
async function showNotice() {
  const found = await import("./notice.js").catch(() => null);
  found?.showNotice();
}
