// docs/guide/exercises.md: each command runs as it stands, and prints the figures of the answer.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { binary, repository } from '../command.mjs';

const exercises = readFileSync(join(repository, 'docs/guide/exercises.md'), 'utf8').split(/^## /m).slice(1);
assert.equal(exercises.length, 5);

for (const exercise of exercises) {
  const title = exercise.split('\n')[0];
  await test(`exercise ${title}`, () => {
    const command = /^ {4}\$ roofline (.*)$/m.exec(exercise)[1];
    const answer = /<details><summary>Answer<\/summary>(.*)<\/details>/s.exec(exercise)[1];
    const printed = execFileSync(binary, command.split(' '), { cwd: repository, encoding: 'utf8' });
    const [, block] = /```\n(.*?)```/s.exec(answer);
    for (const line of block.trim().split('\n')) assert.ok(printed.includes(line), line);
    for (const [, figure] of answer.matchAll(/\*\*(.*?)\*\*/gs)) assert.ok(printed.includes(figure), figure);
  });
}
