// Says on standard error whom a process connects to.
const { Socket } = require('node:net');

const connect = Socket.prototype.connect;
Socket.prototype.connect = function told(...args) {
  const [options] = Array.isArray(args[0]) ? args[0] : args;
  process.stderr.write(`connects to ${options.host ?? options.path}:${options.port ?? ''}\n`);
  return connect.apply(this, args);
};
