#!/usr/bin/env node
import 'reflect-metadata';
import { run } from './run';
import { processTerminal } from './terminal/terminal';

void run(process.argv.slice(2), process.env, processTerminal()).then((code) => {
  process.exitCode = code;
});
