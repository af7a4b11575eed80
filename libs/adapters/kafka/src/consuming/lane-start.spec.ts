import { beginningOf, type LaneStart } from './lane-start';

const isBefore = (position: string, other: string): boolean => Number(position) < Number(other);
const START: LaneStart = { committed: 7n, checkpoint: '70', oldest: 3n, end: 9n };
const NONE = { is_set_back: false, has_gap: false };

test.each([
  ['where the group has come to', {}, '70', { ...NONE, offset: 7n }],
  ['with the oldest record, where nothing is known', { committed: null, checkpoint: null }, null, { ...NONE, offset: 3n }],
  ['with the oldest one, where the database is older', {}, '60', { offset: 3n, is_set_back: true, has_gap: false }],
  ['with the oldest one, where retention has taken more', { committed: 2n }, '70', { offset: 3n, is_set_back: false, has_gap: true }],
  ['with the oldest one, where the topic ends before', { end: 6n }, '70', { ...NONE, offset: 3n }],
  ['at the end, where there is nothing more', { committed: 9n }, '70', { ...NONE, offset: 9n }],
] as const)('a lane begins %s', (_, start, saved, beginning) => {
  expect(beginningOf({ ...START, ...start }, saved, isBefore)).toEqual(beginning);
});
