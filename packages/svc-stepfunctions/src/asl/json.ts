export type { Json, JsonObject } from '@emu/core/json-path';
