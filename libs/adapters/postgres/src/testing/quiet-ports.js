"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.systemClock = exports.silentLog = void 0;
/** For tests in which failures are meant. */
exports.silentLog = {
    info: () => undefined,
    warn: () => undefined,
    error: () => undefined,
};
const wall = () => Math.trunc(performance.timeOrigin + performance.now());
/** The machine's time, for both times. */
exports.systemClock = { now: wall, wall };
//# sourceMappingURL=quiet-ports.js.map