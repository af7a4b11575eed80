export { runEmbedded } from './run-embedded';
export { runWork } from './run-work';
