/** What ESLint looks for in the page's scripts. */

import js from "@eslint/js";
import globals from "globals";

const MARKUP = ["innerHTML", "outerHTML", "insertAdjacentHTML"];

const rules = {
  eqeqeq: "error",
  "no-var": "error",
  "prefer-const": "error",
  "no-shadow": "error",
  "no-implied-eval": "error",
  "no-unused-vars": ["error", { args: "none", ignoreRestSiblings: true, varsIgnorePattern: "^_" }],
  "no-restricted-properties": ["error", ...MARKUP.map((property) => ({ property, message: "data goes in as text only" }))],
};

export default [
  js.configs.recommended,
  { rules },
  { files: ["rollwise/web/static/**/*.js"], languageOptions: { globals: globals.browser } },
  { files: ["tests/js/*.js", "eslint.config.js"], languageOptions: { globals: globals.node } },
];
