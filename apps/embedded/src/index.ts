export { runEmbedded } from './run-embedded';
