import { Store as StoreOf } from '@tender/page/browser';
import type { View } from '../view';

export class Store extends StoreOf<View> {}
