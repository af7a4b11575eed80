import { choiceOf } from './choice';
import { STANDING, type Replica } from './replica';

const replica = (standing: number): Replica => ({ standing: () => standing }) as unknown as Replica;

describe('the time that a replica has to answer', () => {
  const [leader, other] = [replica(STANDING.well), replica(STANDING.well)];
  const choice = choiceOf(() => [leader, other]);
  choice.noteLeader(leader);

  test('is all of it when only the leader could answer', () => {
    expect(choice.shares(leader, new Set(), true)).toBe(1);
    expect(choice.shares(other, new Set(), true)).toBe(2);
  });

  test('leaves some for the others when they could answer, too', () => {
    expect(choice.shares(leader, new Set(), false)).toBe(2);
    expect(choice.shares(leader, new Set([other]), false)).toBe(1);
  });

  test('is not shared with replicas that rest', () => {
    const resting = replica(STANDING.resting);
    const some = choiceOf(() => [leader, resting]);
    expect(some.shares(leader, new Set(), false)).toBe(1);
    expect(some.shares(resting, new Set([leader]), false)).toBe(1);
  });
});
