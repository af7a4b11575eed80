// Jest's order, which is by what it remembers and else by size, with the files first that the runner knows to be long.
// A fresh clone remembers nothing, and the longest are not the largest.
const { readFileSync } = require('node:fs');
const { createRequire } = require('node:module');

// Of the jest that is installed, which brings it.
const { default: Sequencer } = createRequire(require.resolve('jest'))('@jest/test-sequencer');

module.exports = class LongestFirst extends Sequencer {
  constructor({ chosen = process.env.TENDER_CHOSEN }) {
    super();
    this.long = new Set(JSON.parse(readFileSync(chosen, 'utf8')).long);
  }

  sort(tests) {
    const isLong = ({ path }) => this.long.has(path);
    const sorted = super.sort(tests);
    return [...sorted.filter(isLong), ...sorted.filter((test) => !isLong(test))];
  }
};
