"""The clients of CloudFormation and Cloud Control: a stack, a change of it, and one resource without a stack."""

import json

import boto3
from botocore.exceptions import ClientError

cloudformation = boto3.client("cloudformation")
cloudcontrol = boto3.client("cloudcontrol")
kinesis = boto3.client("kinesis")


def template(hours):
    return json.dumps(
        {
            "Resources": {
                "Stream": {
                    "Type": "AWS::Kinesis::Stream",
                    "Properties": {"ShardCount": 1, "RetentionPeriodHours": hours},
                },
                "Pool": {"Type": "AWS::Cognito::UserPool"},
                "Group": {
                    "Type": "AWS::Cognito::UserPoolGroup",
                    "Properties": {"UserPoolId": {"Ref": "Pool"}, "GroupName": "admins"},
                },
            },
            "Outputs": {"Stream": {"Value": {"Ref": "Stream"}}, "Group": {"Value": {"Ref": "Group"}}},
        }
    )


cloudformation.create_stack(StackName="client", TemplateBody=template(24), Tags=[{"Key": "team", "Value": "a"}])
cloudformation.get_waiter("stack_create_complete").wait(StackName="client", WaiterConfig={"Delay": 1})
(stack,) = cloudformation.describe_stacks(StackName="client")["Stacks"]
outputs = {output["OutputKey"]: output["OutputValue"] for output in stack["Outputs"]}
assert outputs["Group"] == "admins", outputs
stream = outputs["Stream"]
tags = kinesis.list_tags_for_stream(StreamName=stream)["Tags"]
assert {"Key": "team", "Value": "a"} in tags, tags

cloudformation.update_stack(StackName="client", TemplateBody=template(48))
cloudformation.get_waiter("stack_update_complete").wait(StackName="client", WaiterConfig={"Delay": 1})
summary = kinesis.describe_stream_summary(StreamName=stream)["StreamDescriptionSummary"]
assert summary["RetentionPeriodHours"] == 48, summary

try:
    cloudformation.update_stack(StackName="client", TemplateBody=template(48))
    raise AssertionError("an update without change was accepted")
except ClientError as error:
    assert error.response["Error"]["Message"] == "No updates are to be performed.", error

cloudformation.delete_stack(StackName="client")
cloudformation.get_waiter("stack_delete_complete").wait(StackName="client", WaiterConfig={"Delay": 1})
assert stream not in kinesis.list_streams()["StreamNames"]


def done(event):
    token = event["ProgressEvent"]["RequestToken"]
    cloudcontrol.get_waiter("resource_request_success").wait(RequestToken=token, WaiterConfig={"Delay": 1})
    return cloudcontrol.get_resource_request_status(RequestToken=token)["ProgressEvent"]["Identifier"]


TYPE = "AWS::SES::ConfigurationSet"
name = done(cloudcontrol.create_resource(TypeName=TYPE, DesiredState=json.dumps({"Name": "of-cloud-control"})))
patch = [{"op": "add", "path": "/SuppressionOptions", "value": {"SuppressedReasons": ["BOUNCE"]}}]
done(cloudcontrol.update_resource(TypeName=TYPE, Identifier=name, PatchDocument=json.dumps(patch)))
found = cloudcontrol.get_resource(TypeName=TYPE, Identifier=name)["ResourceDescription"]
assert json.loads(found["Properties"])["SuppressionOptions"] == {"SuppressedReasons": ["BOUNCE"]}, found
pages = cloudcontrol.get_paginator("list_resources").paginate(TypeName=TYPE)
assert name in [one["Identifier"] for page in pages for one in page["ResourceDescriptions"]]
done(cloudcontrol.delete_resource(TypeName=TYPE, Identifier=name))
try:
    cloudcontrol.get_resource(TypeName=TYPE, Identifier=name)
    raise AssertionError("the resource is still there")
except cloudcontrol.exceptions.ResourceNotFoundException:
    pass

print("ok")
