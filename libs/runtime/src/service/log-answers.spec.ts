import { logAnswers } from './log-answers';

describe('logAnswers', () => {
  it.each([
    ['answers', () => Promise.resolve('7'), true],
    ['is empty', () => Promise.resolve(null), true],
    ['refuses', () => Promise.reject(new Error('gone')), false],
    ['says nothing', () => new Promise<null>(() => undefined), false],
  ])('a log that %s', async (_, newest, expected) => {
    expect(await logAnswers({ newest }, 20)).toBe(expected);
  });
});
