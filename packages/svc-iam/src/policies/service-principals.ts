import { TEMPLATES } from '../entities/service-linked-roles.ts';
import { SERVICE_NAMES } from './service-names.ts';

/** Service names in principals that are neither an action namespace nor the service of a service-linked role. */
const OTHERS = [
  ...['billing', 'billingconsole', 'billingreports', 'cases', 'cloudcontrolapi', 'codewhisperer', 'costalerts'],
  ...['customer-verification', 'databrew', 'ec2scheduled', 'ecs-tasks', 'edgelambda', 'eks-fargate-pods', 'email'],
  ...['evidently', 'export', 'freertos', 'iotanalytics', 'iotthingsgraph', 'jellyfish', 'lookoutmetrics'],
  ...['lookoutvision', 'macie', 'managedservices', 'metering-marketplace', 'mobilehub', 'monitoring', 'msk', 'neptune'],
  ...[
    'nimble',
    'opsworks',
    'opsworks-cm',
    'osis-pipelines',
    'payments',
    'pinpoint',
    'preview',
    'purchaseorders',
    'q',
    'qldb',
  ],
  ...[
    'robomaker',
    'sms',
    'snow-device',
    'sumerian',
    'supplychain',
    'taxes',
    'tts',
    'user-subscriptions',
    'vmie',
    'wam',
  ],
  ...[
    'vpc-flow-logs',
    'worklink',
    'worldwidepublicsector',
    'airflow-env',
    'aws-artifact-account-sync',
    'cloudwatch-crossaccount',
  ],
  ...['config-conforms', 'config-multiaccountsetup', 'discovery', 'migrationhub', 'network-insights', 'mwaa'],
  ...['application-insights', 'codestar', 'emr', 'greengrassv2', 'rds-preview', 'repostspace', 'docdb'],
];

const lastLabel = (name: string): string => name.slice(name.lastIndexOf('.') + 1);

const LABELS: ReadonlySet<string> = new Set([
  ...SERVICE_NAMES.keys(),
  ...Object.keys(TEMPLATES).map(lastLabel),
  ...OTHERS,
]);

/** Matches a principal's name: the service and optionally its region. */
const NAME =
  /^(.+?)(?:\.[a-z]{2,3}(?:-[a-z]+){1,2}-\d)?\.(?:amazonaws\.com(?:\.cn)?|amazon\.com|amazonaws\.eu|aws\.internal)$/;

/**
 * Whether AWS has a service with a principal's name: `lambda.amazonaws.com` but not `lamda.amazonaws.com`. Prefixes of
 * the service's own name, as in `monitoring.rds.amazonaws.com`, are ignored.
 * @param principal a well-formed principal
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_principal.html#principal-services
 */
export function isKnownService(principal: string): boolean {
  const name = NAME.exec(principal)?.[1];
  return name !== undefined && LABELS.has(lastLabel(name));
}
