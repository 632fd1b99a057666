import { serve } from '@emu/gateway/testing/server';
import { manifest, streamsManifest } from '../../src/manifest.ts';

await serve([manifest, streamsManifest]);
