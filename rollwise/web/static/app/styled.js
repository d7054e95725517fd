/** Style sheets that are loaded when they are needed. */

/** Load a style sheet, once. @param {string} name @returns {Promise<unknown>} */
export function styled(name) {
  const { href } = new URL(`../styles/${name}`, import.meta.url);
  if (document.querySelector(`link[href="${href}"]`)) return Promise.resolve();
  const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href });
  return new Promise((resolve) => {
    link.addEventListener("load", resolve);
    link.addEventListener("error", resolve);
    document.head.append(link);
  });
}
