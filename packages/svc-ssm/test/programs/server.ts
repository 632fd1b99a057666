import { serve } from '@emu/gateway/testing/server';
import { manifest } from '../../src/manifest.ts';

await serve([manifest]);
