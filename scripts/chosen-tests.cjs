// Jest's --filter: of the files that its arguments mean, those that the runner has chosen.
const { readFileSync } = require('node:fs');

module.exports = async (paths) => {
  const chosen = new Set(JSON.parse(readFileSync(process.env.TENDER_CHOSEN, 'utf8')).all);
  return { filtered: paths.filter((path) => chosen.has(path)) };
};
