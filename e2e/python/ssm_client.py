"""The client of Systems Manager: parameters, documents, runbooks, patches, windows and inventory."""

import json
import time

import boto3
from botocore.exceptions import ClientError

ssm = boto3.client("ssm")
assert ssm.put_parameter(Name="/client/a", Value="one", Type="String")["Version"] == 1
assert ssm.put_parameter(Name="/client/a", Value="two", Overwrite=True)["Version"] == 2
ssm.put_parameter(Name="/client/b/secret", Value="hidden", Type="SecureString")

assert ssm.get_parameter(Name="/client/a")["Parameter"]["Value"] == "two"
assert ssm.get_parameter(Name="/client/a:1")["Parameter"]["Value"] == "one"
assert ssm.get_parameter(Name="/client/b/secret")["Parameter"]["Value"] != "hidden"
assert ssm.get_parameter(Name="/client/b/secret", WithDecryption=True)["Parameter"]["Value"] == "hidden"

pages = ssm.get_paginator("get_parameters_by_path").paginate(
    Path="/client", Recursive=True, PaginationConfig={"PageSize": 1}
)
assert [p["Name"] for page in pages for p in page["Parameters"]] == ["/client/a", "/client/b/secret"]
assert ssm.get_parameters(Names=["/client/a", "/client/x"])["InvalidParameters"] == ["/client/x"]

ssm.label_parameter_version(Name="/client/a", ParameterVersion=1, Labels=["first"])
assert ssm.get_parameter(Name="/client/a:first")["Parameter"]["Version"] == 1

try:
    ssm.get_parameter(Name="/client/missing")
    raise AssertionError("a missing parameter was read")
except ClientError as error:
    assert error.response["Error"]["Code"] == "ParameterNotFound", error.response

deleted = ssm.delete_parameters(Names=["/client/a", "/client/b/secret", "/client/x"])
assert (sorted(deleted["DeletedParameters"]), deleted["InvalidParameters"]) == (
    ["/client/a", "/client/b/secret"],
    ["/client/x"],
)
runbook = {
    "schemaVersion": "0.3",
    "parameters": {"Name": {"type": "String"}},
    "mainSteps": [
        {
            "name": "put",
            "action": "aws:executeAwsApi",
            "inputs": {
                "Service": "ssm",
                "Api": "PutParameter",
                "Name": "{{ Name }}",
                "Value": "made by a runbook",
                "Type": "String",
            },
        },
        {"name": "hold", "action": "aws:pause", "inputs": {}},
    ],
    "outputs": ["put.Tier"],
}
ssm.create_document(Name="client-runbook", Content=json.dumps(runbook), DocumentType="Automation")
described = ssm.describe_document(Name="client-runbook")["Document"]
assert (described["Status"], described["SchemaVersion"]) == ("Active", "0.3"), described
runbook["description"] = "changed"
updated = ssm.update_document(Name="client-runbook", Content=json.dumps(runbook), DocumentVersion="$LATEST")
assert updated["DocumentDescription"]["LatestVersion"] == "2"
ssm.update_document_default_version(Name="client-runbook", DocumentVersion="2")

execution = ssm.start_automation_execution(
    DocumentName="client-runbook", Parameters={"Name": ["/client/by-runbook"]}
)["AutomationExecutionId"]


def status(wanted):
    for _ in range(200):
        found = ssm.get_automation_execution(AutomationExecutionId=execution)["AutomationExecution"]
        if found["AutomationExecutionStatus"] == wanted:
            return found
        time.sleep(0.05)
    raise AssertionError(found)


step = status("Waiting")["StepExecutions"][1]["StepExecutionId"]
ssm.send_automation_signal(
    AutomationExecutionId=execution, SignalType="Resume", Payload={"StepExecutionId": [step]}
)
assert status("Success")["DocumentVersion"] == "2"
assert ssm.delete_parameters(Names=["/client/by-runbook"])["DeletedParameters"] == ["/client/by-runbook"]
ssm.delete_document(Name="client-runbook")

try:
    ssm.send_command(
        DocumentName="AWS-RunShellScript",
        InstanceIds=["i-0123456789abcdef0"],
        Parameters={"commands": ["uptime"]},
    )
    raise AssertionError("a command was sent to nobody")
except ssm.exceptions.InvalidInstanceId:
    pass

activation = ssm.create_activation(IamRole="hybrid")
listed = ssm.get_paginator("describe_activations").paginate().build_full_result()["ActivationList"]
assert [a["ActivationId"] for a in listed] == [activation["ActivationId"]]
ssm.delete_activation(ActivationId=activation["ActivationId"])

baseline = ssm.create_patch_baseline(Name="client", OperatingSystem="CENTOS")["BaselineId"]
ssm.register_patch_baseline_for_patch_group(BaselineId=baseline, PatchGroup="client")
own = [{"Key": "OWNER", "Values": ["Self"]}]
pages = ssm.get_paginator("describe_patch_baselines").paginate(Filters=own)
assert baseline in [b["BaselineId"] for page in pages for b in page["BaselineIdentities"]]
try:
    ssm.delete_patch_baseline(BaselineId=baseline)
    raise AssertionError("a baseline was deleted that a group has")
except ssm.exceptions.ResourceInUseException:
    ssm.deregister_patch_baseline_for_patch_group(BaselineId=baseline, PatchGroup="client")
ssm.delete_patch_baseline(BaselineId=baseline)

window = ssm.create_maintenance_window(
    Name="client", Schedule="rate(1 day)", Duration=2, Cutoff=1, AllowUnassociatedTargets=True
)["WindowId"]
task = ssm.register_task_with_maintenance_window(
    WindowId=window,
    TaskType="LAMBDA",
    TaskArn="clean",
    TaskInvocationParameters={"Lambda": {"Payload": b'{"a": 1}'}},
)["WindowTaskId"]
told = ssm.get_maintenance_window_task(WindowId=window, WindowTaskId=task)
assert told["TaskInvocationParameters"]["Lambda"]["Payload"] == b'{"a": 1}', told
assert "NextExecutionTime" in ssm.get_maintenance_window(WindowId=window)
ssm.delete_maintenance_window(WindowId=window)

node = "i-00000000000000001"
ssm.put_inventory(
    InstanceId=node,
    Items=[
        {
            "TypeName": "Custom:Rack",
            "SchemaVersion": "1.0",
            "CaptureTime": "2026-01-02T03:04:05Z",
            "Content": [{"Row": "B"}],
        }
    ],
)
entries = ssm.list_inventory_entries(InstanceId=node, TypeName="Custom:Rack")["Entries"]
assert entries == [{"Row": "B"}], entries
item = ssm.create_ops_item(Title="client", Description="x", Source="boto3")["OpsItemId"]
ssm.update_ops_item(OpsItemId=item, Status="Resolved")
assert ssm.get_ops_item(OpsItemId=item)["OpsItem"]["Status"] == "Resolved"
print("ok")
