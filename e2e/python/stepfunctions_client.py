"""The clients of Step Functions and EventBridge Pipes: an express execution, a test of a state, and a pipe."""

import json
import time

import boto3
from botocore.config import Config

# Without the host prefix `sync-`, which boto3 adds.
sfn = boto3.client("stepfunctions", config=Config(inject_host_prefix=False))
pipes = boto3.client("pipes")
sqs = boto3.client("sqs")
ROLE = "arn:aws:iam::123456789012:role/workflow"
PASS = json.dumps({"StartAt": "P", "States": {"P": {"Type": "Pass", "End": True}}})

express = sfn.create_state_machine(name="client-express", type="EXPRESS", roleArn=ROLE, definition=PASS)
answer = sfn.start_sync_execution(stateMachineArn=express["stateMachineArn"], input='{"a": 1}')
assert (answer["status"], json.loads(answer["output"])) == ("SUCCEEDED", {"a": 1}), answer
tested = sfn.test_state(definition=json.dumps({"Type": "Pass", "Next": "Other"}), input='{"a": 1}')
assert (tested["status"], tested["nextState"]) == ("SUCCEEDED", "Other"), tested

standard = sfn.create_state_machine(name="client-standard", roleArn=ROLE, definition=PASS)["stateMachineArn"]
url = sqs.create_queue(QueueName="piped")["QueueUrl"]
queue = sqs.get_queue_attributes(QueueUrl=url, AttributeNames=["QueueArn"])["Attributes"]["QueueArn"]
made = pipes.create_pipe(
    Name="client",
    RoleArn=ROLE,
    Source=queue,
    SourceParameters={"FilterCriteria": {"Filters": [{"Pattern": '{"body": {"wanted": [true]}}'}]}},
    Target=standard,
    TargetParameters={
        "InputTemplate": "<$.body>",
        "StepFunctionStateMachineParameters": {"InvocationType": "FIRE_AND_FORGET"},
    },
)
assert made["CurrentState"] == "CREATING", made


def wait(condition):
    """Waits for a condition, ten seconds at most."""
    for _ in range(200):
        found = condition()
        if found:
            return found
        time.sleep(0.05)
    raise AssertionError("it did not come to be")


wait(lambda: pipes.describe_pipe(Name="client")["CurrentState"] == "RUNNING")
for wanted in (False, True):
    sqs.send_message(QueueUrl=url, MessageBody=json.dumps({"wanted": wanted}))
(execution,) = wait(lambda: sfn.list_executions(stateMachineArn=standard)["executions"])
described = sfn.describe_execution(executionArn=execution["executionArn"])
assert json.loads(described["input"]) == [{"wanted": True}], described

pipes.delete_pipe(Name="client")
wait(lambda: pipes.list_pipes()["Pipes"] == [])
for arn in (express["stateMachineArn"], standard):
    sfn.delete_state_machine(stateMachineArn=arn)
sqs.delete_queue(QueueUrl=url)
print("ok")
