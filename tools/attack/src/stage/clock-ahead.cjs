// Loaded into a signer before its program: its clock is ahead by what its parent tells it, which is told when it is.
const now = Date.now;
let ahead_ms = 0;
Date.now = () => now() + ahead_ms;
process.on('message', (told) => {
  ({ ahead_ms } = told);
  process.send({ type: 'ahead', ahead_ms });
});
