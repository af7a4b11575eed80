import { Unavailable } from '@tender/eventing';

/** The answer, or `Unavailable` once it is late: who waits for it can do without. */
export async function answeredWithin<Answer>(ms: number, asked: Promise<Answer>): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const tooLate = (): void => reject(new Unavailable('the chain', { reason: 'it is slow' }));
    timer = setTimeout(tooLate, ms);
  });
  try {
    return await Promise.race([asked, late]);
  } finally {
    clearTimeout(timer);
  }
}
