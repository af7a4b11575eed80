/** Runs in the page: everything unfolded, what stands out of the window or is hidden by what it is in. */
export function whatIsCutOff(): string[] {
  for (const one of document.querySelectorAll('details')) one.open = true;
  const cut: string[] = [];
  if (document.documentElement.scrollWidth > innerWidth) cut.push('the page scrolls sideways');
  for (const one of document.querySelectorAll<HTMLElement>('main, main *')) {
    if (!one.checkVisibility({ visibilityProperty: true })) continue;
    const { left, right, width } = one.getBoundingClientRect();
    const is_out = width > 0 && (left < -0.5 || right > innerWidth + 0.5);
    const may_hide = /SELECT|INPUT|svg/.test(one.tagName);
    const hides = getComputedStyle(one).overflowX !== 'visible' && !may_hide;
    const is_cut = hides && one.scrollWidth > one.clientWidth + 1;
    if (is_out || is_cut) cut.push(one.outerHTML.slice(0, 80));
  }
  return cut;
}

/** Runs in the page, once a key was pressed: buttons without an edge, and what does not show that it has the focus. */
export function whatIsNotSeen(): string[] {
  const pressed = 'a[href], button, input:not([type=hidden]), select, summary';
  const all = [...document.querySelectorAll<HTMLElement>(pressed)];
  const shown = all.filter((one) => one.checkVisibility({ visibilityProperty: true }));
  const unseen = shown.length === 0 ? ['anything to press'] : [];
  for (const one of shown) {
    const name = one.outerHTML.slice(0, 80);
    const { borderTopWidth, borderTopStyle } = getComputedStyle(one);
    const has_edge = borderTopStyle !== 'none' && parseFloat(borderTopWidth) >= 1;
    if (one.matches('button, .button, input, select') && !has_edge) unseen.push(`the edge of ${name}`);
    one.focus();
    const { outlineStyle, outlineWidth } = getComputedStyle(one);
    const { top, bottom } = one.getBoundingClientRect();
    const is_in_window = bottom > 0 && top < innerHeight;
    const is_marked = outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2 && is_in_window;
    if (document.activeElement !== one || !is_marked) unseen.push(`the focus on ${name}`);
  }
  return unseen;
}

/** Runs in the page: what is pressed and is lower than a thumb needs. */
export function tooSmall(): object[] {
  return [...document.querySelectorAll<HTMLElement>('button, .button, input, select, summary, footer a')]
    .filter((one) => one.checkVisibility({ visibilityProperty: true }))
    .map((one) => ({ text: one.textContent, height: one.getBoundingClientRect().height }))
    .filter(({ height }) => height < 47.5);
}
