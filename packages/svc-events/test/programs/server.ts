import { serve } from '@emu/gateway/testing/server';
import { manifest as sqs } from '@emu/svc-sqs/manifest';
import { manifest } from '../../src/manifest.ts';

await serve([manifest, sqs]);
