import { serve } from '@emu/gateway/testing/server';
import { manifest as firehose } from '@emu/svc-firehose/manifest';
import { manifest as s3 } from '@emu/svc-s3/manifest';

await serve([firehose, s3]);
