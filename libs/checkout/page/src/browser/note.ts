/** Quiet words of the form about the last press. Its own are named; others are said as they are. */
export function note(said: string, wallet = ''): void {
  const shown = document.querySelector<HTMLElement>('form .note');
  const { [said]: words = said } = shown?.closest('form')?.dataset ?? {};
  if (!shown) return;
  shown.hidden = false;
  shown.textContent = words.replace('{wallet}', wallet);
}
