import { runEmbedded } from './run-embedded';

void runEmbedded();
