/**
 * Puts a text of the page where the customer can paste it. Where the browser keeps its clipboard from the page (it was
 * not served by HTTPS, or the customer said no), the text is shown and marked, for the customer to copy.
 */
export async function copied(text: string): Promise<boolean> {
  const { clipboard } = navigator as { readonly clipboard?: Clipboard };
  const is_taken = clipboard?.writeText(text).then(() => true, () => false);
  return (await is_taken) || copiedByMark(text);
}

function copiedByMark(text: string): boolean {
  const shown = [...document.querySelectorAll('.code')].find(({ textContent }) => textContent === text);
  if (!shown) return false;
  const folded = shown.closest('details');
  if (folded) folded.open = true;
  getSelection()?.selectAllChildren(shown);
  // Deprecated, and the one way that there is outside HTTPS.
  return document.execCommand('copy');
}
