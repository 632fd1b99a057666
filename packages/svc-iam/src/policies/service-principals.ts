import { TEMPLATES } from '../entities/service-linked-roles.ts';
import { SERVICE_NAMES } from '../reports/service-names.ts';

/** Names of services in principals that are neither a namespace of actions nor that of a service-linked role's service. */
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

/** A principal's name: what the service is called, and maybe its region. */
const NAME =
  /^(.+?)(?:\.[a-z]{2,3}(?:-[a-z]+){1,2}-\d)?\.(?:amazonaws\.com(?:\.cn)?|amazon\.com|amazonaws\.eu|aws\.internal)$/;

/**
 * Whether AWS has a service of a principal's name: `lambda.amazonaws.com` and not `lamda.amazonaws.com`. What stands before
 * the service's own name, as in `monitoring.rds.amazonaws.com`, is not looked at.
 * @param principal well formed
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_principal.html#principal-services
 */
export function isKnownService(principal: string): boolean {
  const name = NAME.exec(principal)?.[1];
  return name !== undefined && LABELS.has(lastLabel(name));
}
