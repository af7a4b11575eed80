import type { KeyObject } from 'node:crypto';
import { KeyDestroyed } from '@tender/eventing';
import type { Clock } from '@tender/kernel';
import type { KeyFiles } from './key-files';

const DAY_MS = 86_400_000;
/** A day's key lives on for 24 h after that day has ended (ADR 0003). */
const LIFE_DAYS = 2;
const SWEEP_EVERY_MS = 60_000;
const NAME = /^day-(\d{4}-\d{2}-\d{2})\.key$/;

export interface DayKeys {
  /** The key of the UTC business day that holds `ms`; throws `KeyDestroyed` when its life is over. */
  keyOf(ms: number): KeyObject;
  close(): void;
}

export interface DayKeysOptions {
  readonly files: KeyFiles;
  readonly clock: Clock;
  /** Reads a stored key, or makes and stores one. */
  readonly findOrMake: (name: string) => KeyObject;
}

/** Keys that end with their day. Lives end at midnight UTC, so looking once a day is looking in time. */
export function dayKeys({ files, clock, findOrMake }: DayKeysOptions): DayKeys {
  const held = new Map<number, KeyObject>();
  // Only ever rises: a machine clock that is set back must not make a dead day's key anew.
  let today = -1;

  sweepOncePerDay();
  // For a program that gets no request for days.
  const timer = setInterval(sweepOncePerDay, SWEEP_EVERY_MS).unref();

  return {
    keyOf(ms) {
      sweepOncePerDay();
      const day = Math.floor(ms / DAY_MS);
      if (isOver(day)) throw new KeyDestroyed(`${nameOf(day)} was destroyed`);
      const key = held.get(day) ?? findOrMake(nameOf(day));
      held.set(day, key);
      return key;
    },
    close: () => clearInterval(timer),
  };

  function sweepOncePerDay(): void {
    const present = Math.floor(clock.now() / DAY_MS);
    if (present <= today) return;
    today = present;
    for (const name of files.names()) {
      const date = NAME.exec(name)?.[1];
      if (date && isOver(Date.parse(date) / DAY_MS)) files.destroy(name);
    }
    for (const day of held.keys()) if (isOver(day)) held.delete(day);
  }

  function isOver(day: number): boolean {
    return day + LIFE_DAYS <= today;
  }
}

const nameOf = (day: number): string =>
  `day-${new Date(day * DAY_MS).toISOString().slice(0, 10)}.key`;
