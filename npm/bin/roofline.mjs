#!/usr/bin/env node
import { runCommand } from '../command.mjs';

await runCommand(process.argv.slice(2));
