import { strToU8, zipSync } from 'fflate';

/** The `cfn-response` module for Node.js, which AWS adds to inline code. */
const CFN_RESPONSE_JS = `exports.SUCCESS = 'SUCCESS';
exports.FAILED = 'FAILED';
exports.send = function (event, context, responseStatus, responseData, physicalResourceId, noEcho) {
  return new Promise((resolve, reject) => {
    const body = JSON.stringify({
      Status: responseStatus,
      Reason: 'See the details in CloudWatch Log Stream: ' + context.logStreamName,
      PhysicalResourceId: physicalResourceId || context.logStreamName,
      StackId: event.StackId,
      RequestId: event.RequestId,
      LogicalResourceId: event.LogicalResourceId,
      NoEcho: noEcho || false,
      Data: responseData,
    });
    const url = new URL(event.ResponseURL);
    const client = require(url.protocol === 'http:' ? 'http' : 'https');
    const headers = { 'content-type': '', 'content-length': Buffer.byteLength(body) };
    const request = client.request(url, { method: 'PUT', headers }, (response) => {
      response.resume();
      response.on('end', () => resolve(context.done && context.done()));
    });
    request.on('error', (error) => {
      console.log('send(..) failed executing http.request(..): ' + error);
      reject(context.done && context.done(error));
    });
    request.end(body);
  });
};
`;

/** The same for Python. */
const CFNRESPONSE_PY = `import json
import urllib.request

SUCCESS = "SUCCESS"
FAILED = "FAILED"


def send(event, context, responseStatus, responseData, physicalResourceId=None, noEcho=False, reason=None):
    body = json.dumps({
        "Status": responseStatus,
        "Reason": reason or "See the details in CloudWatch Log Stream: {}".format(context.log_stream_name),
        "PhysicalResourceId": physicalResourceId or context.log_stream_name,
        "StackId": event["StackId"],
        "RequestId": event["RequestId"],
        "LogicalResourceId": event["LogicalResourceId"],
        "NoEcho": noEcho,
        "Data": responseData,
    }).encode("utf-8")
    headers = {"content-type": "", "content-length": str(len(body))}
    request = urllib.request.Request(event["ResponseURL"], data=body, headers=headers, method="PUT")
    try:
        with urllib.request.urlopen(request) as response:
            print("Status code:", response.status)
    except Exception as error:
        print("send(..) failed executing http.request(..):", error)
`;

/** A date that zip files can represent, so that the same code yields the same package. */
const MTIME = new Date(1980, 1, 1);

/**
 * Packages inline code of a template: one file, `index.js` or `index.py`, and `cfn-response` if the code mentions it.
 * @param runtime e.g. `python3.13`
 * @returns a zip file in base64
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/cfn-lambda-function-code-cfnresponsemodule.html
 */
export function inlinePackage(text: string, runtime: string | undefined): string {
  const python = runtime?.startsWith('python') === true;
  const files: Record<string, Uint8Array> = { [python ? 'index.py' : 'index.js']: strToU8(text) };
  if (python && text.includes('cfnresponse')) files['cfnresponse.py'] = strToU8(CFNRESPONSE_PY);
  if (!python && text.includes('cfn-response')) files['cfn-response.js'] = strToU8(CFN_RESPONSE_JS);
  return Buffer.from(zipSync(files, { mtime: MTIME })).toString('base64');
}
