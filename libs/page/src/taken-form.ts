/** In which compressed form a browser takes an answer, by its `Accept-Encoding`; null: in none of ours. */
export function takenForm(accept_encoding: string | string[] | undefined): 'br' | 'gzip' | null {
  const taken = String(accept_encoding ?? '').split(',').map((one) => one.split(';')[0]?.trim());
  return (['br', 'gzip'] as const).find((form) => taken.includes(form)) ?? null;
}
