import type { ServiceManifest } from '@emu/core';
import { manifest as dynamodb, streamsManifest as dynamodbstreams } from '@emu/svc-dynamodb/manifest';
import { manifest as events } from '@emu/svc-events/manifest';
import { manifest as iam } from '@emu/svc-iam/manifest';
import { manifest as kms } from '@emu/svc-kms/manifest';
import { manifest as lambda } from '@emu/svc-lambda/manifest';
import { manifest as s3 } from '@emu/svc-s3/manifest';
import { manifest as s3control } from '@emu/svc-s3control/manifest';
import { manifest as secretsmanager } from '@emu/svc-secretsmanager/manifest';
import { manifest as sns } from '@emu/svc-sns/manifest';
import { manifest as sqs } from '@emu/svc-sqs/manifest';
import { manifest as sts } from '@emu/svc-sts/manifest';

/** Every service of emu, as the gateway knows it before it is loaded. */
export const SERVICES: readonly ServiceManifest[] = [
  dynamodb,
  dynamodbstreams,
  events,
  iam,
  kms,
  lambda,
  s3,
  s3control,
  secretsmanager,
  sns,
  sqs,
  sts,
];

/** Names of every service, in order. */
export const SERVICE_NAMES: readonly string[] = SERVICES.map(({ name }) => name).sort();
