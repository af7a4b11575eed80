/**
 * The token of the link that was opened; null where there is none. It leaves the address bar at once, and stays in this
 * tab's own memory of the page, so that the page may be loaded anew.
 */
export function takeLinkToken(): string | null {
  const in_address = location.hash.slice(1);
  if (in_address) {
    history.replaceState({ token: in_address }, '', location.pathname + location.search);
    return in_address;
  }
  const { token } = (history.state ?? {}) as { readonly token?: string };
  return token ?? null;
}
