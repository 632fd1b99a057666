/**
 * Hosted zone of the distributions of edge-optimized domain names.
 * @see https://docs.aws.amazon.com/general/latest/gr/apigateway.html
 */
export const EDGE_ZONE = 'Z2FDTNDATAQYW2';

/**
 * Route 53 hosted zones of regional domain names by region.
 * @see https://docs.aws.amazon.com/general/latest/gr/apigateway.html
 */
export const HOSTED_ZONES: Readonly<Record<string, string>> = {
  'us-east-1': 'Z1UJRXOUMOOFQ8',
  'us-east-2': 'ZOJJZC49E0EPZ',
  'us-west-1': 'Z2MUQ32089INYE',
  'us-west-2': 'Z2OJLYMUO9EFXC',
  'eu-west-1': 'ZLY8HYME6SFDD',
  'eu-west-2': 'ZJ5UAJN8Y3Z2Q',
  'eu-west-3': 'Z3KY65QIEKYHQQ',
  'eu-central-1': 'Z1U9ULNL0V5AJ3',
  'eu-north-1': 'Z3UWIKFBOOGXPP',
  'ap-northeast-1': 'Z1YSHQZHG15GKL',
  'ap-northeast-2': 'Z20JF4UZKIW1U8',
  'ap-south-1': 'Z3VO1THU9YC4UR',
  'ap-southeast-1': 'ZL327KTPIQFUL',
  'ap-southeast-2': 'Z2RPCDW04V8134',
  'ca-central-1': 'Z19DQILCV0OWEC',
  'sa-east-1': 'ZCMLWB8V5SYIT',
};
