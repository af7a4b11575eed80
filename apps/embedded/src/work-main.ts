import 'reflect-metadata';
import { runWork } from './run-work';

void runWork();
