// A tag can be moved to other bytes, a digest cannot: every image that others build is named with both.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../terminal.mjs';
import { readDockerfile } from './dockerfile.mjs';

const DOCKERFILE = join(root, 'Dockerfile');
/** Where an image is named outside of the Dockerfile and docker-compose.yml. */
const NAMED_IN_CODE = { 'tools/kafka/src/in-docker.ts': /IMAGE =\s*'([^']+)'/ };
/** Built here; a release names it by its digest in the values of the chart. */
const OUR_OWN = /^tender(?:-local|-signer)?:/;
const PINNED = /^[a-z0-9./_-]+:v?\d[\w.-]*@sha256:[0-9a-f]{64}$/;
/** Images whose digest is not known, and why. One that is pinned, or not used any more, has no business here. */
export const WITHOUT_DIGEST = {
  'eventstore/eventstore:24.10': 'no digest of a 24.10 was found that two sources agree on',
};

/** What is wrong with the way an image is named. */
export function* imageFaults(image) {
  if (OUR_OWN.test(image) || PINNED.test(image) || Object.hasOwn(WITHOUT_DIGEST, image)) return;
  yield `${image} is not pinned: name:version@sha256:… (docs/operations.md, Images)`;
}

/** The images of docker-compose.yml, the Dockerfile and the code; throws where one is not pinned. */
export function checkPins(compose_images, say) {
  const images = [...compose_images, ...imagesOfDockerfile(), ...Object.entries(NAMED_IN_CODE).map(imageOfCode)];
  const used = new Set(images.filter((image) => !OUR_OWN.test(image)));
  const faults = [...used].flatMap((image) => [...imageFaults(image)]);
  const tags = [...used].map((image) => image.split('@')[0]);
  for (const image of Object.keys(WITHOUT_DIGEST)) {
    if (!used.has(image)) faults.push(`${image} may be without a digest, and is not used`);
  }
  for (const tag of tags.filter((one, at) => tags.indexOf(one) !== at)) faults.push(`${tag} has two digests`);
  // A pin that is cut off must be missed: the check can fail.
  for (const tag of tags.filter((one) => !Object.hasOwn(WITHOUT_DIGEST, one))) {
    if ([...imageFaults(tag)].length === 0) faults.push(`${tag} would pass without its digest`);
  }
  if (faults.length > 0) throw new Error(faults.join('\n  '));
  const without = Object.entries(WITHOUT_DIGEST);
  const excuses = without.map(([image, why]) => `; ${image} is not: ${why}`).join('');
  say(`${used.size - without.length} images of others are pinned by digest${excuses}`);
}

/** The frontend that reads it, and what its stages start from: a stage, or an argument with a default. */
function imagesOfDockerfile() {
  const [, frontend] = /^# syntax=(\S+)/.exec(readFileSync(DOCKERFILE, 'utf8')) ?? [];
  const instructions = readDockerfile(DOCKERFILE);
  const defaults = new Map(instructions.filter(({ word }) => word === 'ARG').map(({ rest }) => rest.split('=')));
  const stages = new Set();
  const images = [frontend ?? 'the frontend of the Dockerfile'];
  for (const { word, rest } of instructions) {
    if (word !== 'FROM') continue;
    const [from, , stage] = rest.split(' ');
    const image = from.replace(/^\$\{(\w+)\}$/, (_, name) => defaults.get(name) ?? name);
    if (!stages.has(image)) images.push(image);
    stages.add(stage);
  }
  return images;
}

function imageOfCode([file, form]) {
  return form.exec(readFileSync(join(root, file), 'utf8'))?.[1] ?? `the image of ${file}`;
}
