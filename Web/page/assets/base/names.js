// User-chosen names.

const MARKS = /[\p{Cc}\p{Cf}\p{Cn}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/gu;
const JOINER = /^[\u200c\u200d]$/;

// Removes surrounding spaces, and marks that reorder or hide text, as the server does. Joiners stay
// between non-ASCII characters, whose scripts and emoji need them.
/** @param {string} text */
export const cleanName = (text) => text.replace(MARKS, (mark, at) => {
  const isNeeded = JOINER.test(mark)
    && [...text.slice(0, at)].slice(-1).some(joins)
    && [...text.slice(at + 1)].slice(0, 1).some(joins);
  return isNeeded ? mark : "";
}).trim();

/** @param {string} character */
const joins = (character) => character > "\x7f" && character.search(MARKS) < 0;
