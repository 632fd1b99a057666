import { serve } from '@emu/gateway/testing/server';
import { manifest } from '@emu/svc-sns/manifest';
import { manifest as sqs } from '@emu/svc-sqs/manifest';

await serve([manifest, sqs]);
