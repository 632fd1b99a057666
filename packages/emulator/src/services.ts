import type { ServiceManifest } from '@emu/core/service';
import { manifest as apigateway } from '@emu/svc-apigateway/manifest';
import { manifest as apigatewaymanagementapi } from '@emu/svc-apigatewaymanagementapi/manifest';
import { manifest as apigatewayv2 } from '@emu/svc-apigatewayv2/manifest';
import { manifest as cloudcontrol } from '@emu/svc-cloudcontrol/manifest';
import { manifest as cloudformation } from '@emu/svc-cloudformation/manifest';
import { manifest as cloudwatch } from '@emu/svc-cloudwatch/manifest';
import { manifest as cognitoIdentity } from '@emu/svc-cognito-identity/manifest';
import { manifest as cognitoIdp } from '@emu/svc-cognito-idp/manifest';
import { manifest as dynamodb, streamsManifest as dynamodbstreams } from '@emu/svc-dynamodb/manifest';
import { manifest as ecr } from '@emu/svc-ecr/manifest';
import { manifest as events } from '@emu/svc-events/manifest';
import { manifest as firehose } from '@emu/svc-firehose/manifest';
import { manifest as iam } from '@emu/svc-iam/manifest';
import { manifest as kinesis } from '@emu/svc-kinesis/manifest';
import { manifest as kms } from '@emu/svc-kms/manifest';
import { manifest as lambda } from '@emu/svc-lambda/manifest';
import { manifest as logs } from '@emu/svc-logs/manifest';
import { manifest as pipes } from '@emu/svc-pipes/manifest';
import { manifest as resourcegroups } from '@emu/svc-resourcegroups/manifest';
import { manifest as resourcegroupstaggingapi } from '@emu/svc-resourcegroupstaggingapi/manifest';
import { manifest as s3 } from '@emu/svc-s3/manifest';
import { manifest as s3control } from '@emu/svc-s3control/manifest';
import { manifest as scheduler } from '@emu/svc-scheduler/manifest';
import { manifest as secretsmanager } from '@emu/svc-secretsmanager/manifest';
import { manifest as servicequotas } from '@emu/svc-servicequotas/manifest';
import { manifest as ses, v2Manifest as sesv2 } from '@emu/svc-ses/manifest';
import { manifest as sns } from '@emu/svc-sns/manifest';
import { manifest as sqs } from '@emu/svc-sqs/manifest';
import { manifest as ssm } from '@emu/svc-ssm/manifest';
import { manifest as stepfunctions } from '@emu/svc-stepfunctions/manifest';
import { manifest as sts } from '@emu/svc-sts/manifest';

/** Manifests of all services. */
export const SERVICES: readonly ServiceManifest[] = [
  apigateway,
  apigatewaymanagementapi,
  apigatewayv2,
  cloudcontrol,
  cloudformation,
  cloudwatch,
  cognitoIdentity,
  cognitoIdp,
  dynamodb,
  dynamodbstreams,
  ecr,
  events,
  firehose,
  iam,
  kinesis,
  kms,
  lambda,
  logs,
  pipes,
  resourcegroups,
  resourcegroupstaggingapi,
  s3,
  s3control,
  scheduler,
  secretsmanager,
  servicequotas,
  ses,
  sesv2,
  sns,
  sqs,
  ssm,
  stepfunctions,
  sts,
];

/** Names of all services, in order. */
export const SERVICE_NAMES: readonly string[] = SERVICES.map(({ name }) => name).sort();
