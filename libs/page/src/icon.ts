/** Of every page, and of its browser tab. */
export const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#14161a"/>' +
  '<path d="M8 10h16M16 10v14" stroke="#fff" stroke-width="3.5" stroke-linecap="round"/></svg>';
