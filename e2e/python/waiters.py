"""Every waiter of boto3 for the services of emu finds its state at the first poll, so that none of them sleeps."""

import io
import json
import os
import urllib.request
import zipfile

import boto3

ROLE = "arn:aws:iam::123456789012:role/r"
TEMPLATE = json.dumps({"Resources": {"User": {"Type": "AWS::IAM::User"}}})
CHANGED = json.dumps({"Resources": {"User": {"Type": "AWS::IAM::User"}, "Group": {"Type": "AWS::IAM::Group"}}})
STACK = {"Capabilities": ["CAPABILITY_IAM"]}
KEYS = {
    "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}],
    "AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "S"}],
    "BillingMode": "PAY_PER_REQUEST",
}

session = boto3.Session()
clients = {}


def client(service):
    if service not in clients:
        clients[service] = session.client(service)
    return clients[service]


def policy(**statement):
    return json.dumps({"Version": "2012-10-17", "Statement": [{"Effect": "Allow", **statement}]})


def user(name):
    client("iam").create_user(UserName=name)
    return {"UserName": name}


def role(name):
    document = policy(Action="sts:AssumeRole", Principal={"AWS": "*"})
    client("iam").create_role(RoleName=name, AssumeRolePolicyDocument=document)
    return {"RoleName": name}


def managed_policy(name):
    document = policy(Action="*", Resource="*")
    return {"PolicyArn": client("iam").create_policy(PolicyName=name, PolicyDocument=document)["Policy"]["Arn"]}


def profile(name):
    client("iam").create_instance_profile(InstanceProfileName=name)
    return {"InstanceProfileName": name}


def stack(name):
    client("cloudformation").create_stack(StackName=name, TemplateBody=TEMPLATE, **STACK)
    return {"StackName": name}


def created_stack(name):
    stack(name)
    client("cloudformation").get_waiter("stack_create_complete").wait(StackName=name)
    return {"StackName": name}


def updated_stack(name):
    created_stack(name)
    client("cloudformation").update_stack(StackName=name, TemplateBody=CHANGED, **STACK)
    return {"StackName": name}


def deleted_stack(name):
    created_stack(name)
    client("cloudformation").delete_stack(StackName=name)
    return {"StackName": name}


def change_set(name):
    client("cloudformation").create_change_set(
        StackName=name, ChangeSetName="one", ChangeSetType="CREATE", TemplateBody=TEMPLATE, **STACK
    )
    return {"StackName": name, "ChangeSetName": "one"}


def imported_stack(name):
    user(name)
    resource = {"Type": "AWS::IAM::User", "DeletionPolicy": "Retain", "Properties": {"UserName": name}}
    change_set = {"StackName": name, "ChangeSetName": "import"}
    client("cloudformation").create_change_set(
        **change_set,
        ChangeSetType="IMPORT",
        Capabilities=["CAPABILITY_NAMED_IAM"],
        TemplateBody=json.dumps({"Resources": {"User": resource}}),
        ResourcesToImport=[
            {
                "ResourceType": "AWS::IAM::User",
                "LogicalResourceId": "User",
                "ResourceIdentifier": {"UserName": name},
            }
        ],
    )
    client("cloudformation").get_waiter("change_set_create_complete").wait(**change_set)
    client("cloudformation").execute_change_set(**change_set)
    return {"StackName": name}


def refactor(name):
    group, user = {"Type": "AWS::IAM::Group"}, {"Type": "AWS::IAM::User"}

    def definition(stack_name, **resources):
        return {"StackName": stack_name, "TemplateBody": json.dumps({"Resources": resources})}

    for source in (definition(f"{name}-from", Group=group, User=user), definition(f"{name}-to", Group=group)):
        client("cloudformation").create_stack(**source, **STACK)
        client("cloudformation").get_waiter("stack_create_complete").wait(StackName=source["StackName"])
    definitions = [definition(f"{name}-from", Group=group), definition(f"{name}-to", Group=group, User=user)]
    answer = client("cloudformation").create_stack_refactor(StackDefinitions=definitions)
    return {"StackRefactorId": answer["StackRefactorId"]}


def executed_refactor(name):
    arguments = refactor(name)
    client("cloudformation").get_waiter("stack_refactor_create_complete").wait(**arguments)
    client("cloudformation").execute_stack_refactor(**arguments)
    return arguments


def rolled_back_stack(name):
    created_stack(name)
    key = {"Type": "AWS::IAM::AccessKey", "Properties": {"UserName": "missing"}}
    failing = json.dumps({"Resources": {"User": {"Type": "AWS::IAM::User"}, "Key": key}})
    client("cloudformation").update_stack(StackName=name, TemplateBody=failing, DisableRollback=True, **STACK)
    while client("cloudformation").describe_stacks(StackName=name)["Stacks"][0]["StackStatus"] != "UPDATE_FAILED":
        pass
    client("cloudformation").rollback_stack(StackName=name)
    return {"StackName": name}


def registered_type(name):
    client("s3").create_bucket(Bucket=name)
    package = io.BytesIO()
    with zipfile.ZipFile(package, "w") as archive:
        archive.writestr("fragments/fragment.json", TEMPLATE)
    client("s3").put_object(Bucket=name, Key="module.zip", Body=package.getvalue())
    answer = client("cloudformation").register_type(
        Type="MODULE", TypeName="My::Own::User::MODULE", SchemaHandlerPackage=f"s3://{name}/module.zip"
    )
    return {"RegistrationToken": answer["RegistrationToken"]}


def requested(_):
    event = client("cloudcontrol").create_resource(TypeName="AWS::IAM::User", DesiredState="{}")["ProgressEvent"]
    return {"RequestToken": event["RequestToken"]}


def alarm(name):
    client("cloudwatch").put_metric_alarm(
        AlarmName=name,
        Namespace="A",
        MetricName="m",
        ComparisonOperator="GreaterThanThreshold",
        Threshold=1,
        EvaluationPeriods=1,
        Period=60,
        Statistic="Sum",
    )
    return {"AlarmNames": [name]}


def composite_alarm(name):
    alarm(f"{name}-part")
    client("cloudwatch").put_composite_alarm(AlarmName=name, AlarmRule=f"ALARM({name}-part)")
    return {"AlarmNames": [name], "AlarmTypes": ["CompositeAlarm"]}


def mute_rule(name):
    rule = {"Schedule": {"Expression": "cron(0 2 * * *)", "Duration": "PT1H"}}
    client("cloudwatch").put_alarm_mute_rule(Name=name, Rule=rule)
    return {"AlarmMuteRuleName": name}


def table(name):
    client("dynamodb").create_table(TableName=name, **KEYS)
    return {"TableName": name}


def deleted_table(name):
    table(name)
    client("dynamodb").delete_table(TableName=name)
    return {"TableName": name}


def streaming_table(name):
    table(name)
    stream(name)
    arn = client("kinesis").describe_stream(StreamName=name)["StreamDescription"]["StreamARN"]
    client("dynamodb").enable_kinesis_streaming_destination(TableName=name, StreamArn=arn)
    return {"TableName": name}


def exported_table(name):
    table(name)
    dynamodb = client("dynamodb")
    dynamodb.update_continuous_backups(
        TableName=name, PointInTimeRecoverySpecification={"PointInTimeRecoveryEnabled": True}
    )
    bucket("waiter-exports")
    arn = dynamodb.describe_table(TableName=name)["Table"]["TableArn"]
    export = dynamodb.export_table_to_point_in_time(TableArn=arn, S3Bucket="waiter-exports")
    return {"ExportArn": export["ExportDescription"]["ExportArn"]}


def imported_table(name):
    bucket("waiter-imports")
    client("s3").put_object(Bucket="waiter-imports", Key="items.json", Body='{"Item":{"id":{"S":"a"}}}')
    started = client("dynamodb").import_table(
        S3BucketSource={"S3Bucket": "waiter-imports"},
        InputFormat="DYNAMODB_JSON",
        TableCreationParameters={"TableName": name, **KEYS},
    )
    return {"ImportArn": started["ImportTableDescription"]["ImportArn"]}


def stream(name):
    client("kinesis").create_stream(StreamName=name, ShardCount=1)
    return {"StreamName": name}


def deleted_stream(name):
    stream(name)
    client("kinesis").delete_stream(StreamName=name)
    return {"StreamName": name}


def function(name):
    package = io.BytesIO()
    with zipfile.ZipFile(package, "w") as archive:
        archive.writestr("index.js", "exports.handler = async () => 1;")
    client("lambda").create_function(
        FunctionName=name,
        Role=ROLE,
        Runtime="nodejs20.x",
        Handler="index.handler",
        Code={"ZipFile": package.getvalue()},
    )
    return {"FunctionName": name}


def updated_function(name):
    function(name)
    client("lambda").update_function_configuration(FunctionName=name, Timeout=5)
    return {"FunctionName": name}


def published_version(name):
    function(name)
    return {"FunctionName": name, "Qualifier": client("lambda").publish_version(FunctionName=name)["Version"]}


def bucket(name):
    client("s3").create_bucket(Bucket=name)
    return {"Bucket": name}


def deleted_bucket(name):
    bucket(name)
    client("s3").delete_bucket(Bucket=name)
    return {"Bucket": name}


def stored_object(name):
    client("s3").put_object(**bucket(name), Key="key")
    return {"Bucket": name, "Key": "key"}


def missing_object(name):
    return {**bucket(name), "Key": "key"}


def identity(_):
    client("ses").verify_email_identity(EmailAddress="waiter@example.com")
    return {"Identities": ["waiter@example.com"]}


# Starts what a waiter waits for, and returns the waiter's arguments.
CASES = {
    "cloudcontrol": {"resource_request_success": requested},
    "cloudformation": {
        "change_set_create_complete": change_set,
        "stack_create_complete": stack,
        "stack_delete_complete": deleted_stack,
        "stack_exists": stack,
        "stack_import_complete": imported_stack,
        "stack_refactor_create_complete": refactor,
        "stack_refactor_execute_complete": executed_refactor,
        "stack_rollback_complete": rolled_back_stack,
        "stack_update_complete": updated_stack,
        "type_registration_complete": registered_type,
    },
    "cloudwatch": {
        "alarm_exists": alarm,
        "alarm_mute_rule_exists": mute_rule,
        "composite_alarm_exists": composite_alarm,
    },
    "dynamodb": {
        "export_completed": exported_table,
        "import_completed": imported_table,
        "kinesis_streaming_destination_active": streaming_table,
        "table_exists": table,
        "table_not_exists": deleted_table,
    },
    "iam": {
        "instance_profile_exists": profile,
        "policy_exists": managed_policy,
        "role_exists": role,
        "user_exists": user,
    },
    "kinesis": {"stream_exists": stream, "stream_not_exists": deleted_stream},
    "lambda": {
        "function_active": function,
        "function_active_v2": function,
        "function_exists": function,
        "function_updated": updated_function,
        "function_updated_v2": updated_function,
        "published_version_active": published_version,
    },
    "s3": {
        "bucket_exists": bucket,
        "bucket_not_exists": deleted_bucket,
        "object_exists": stored_object,
        "object_not_exists": missing_object,
    },
    "ses": {"identity_exists": identity},
}

# Waiters without a case, each with its reason.
ABSENT = {
    "contributor_insights_enabled": "DescribeContributorInsights answers 501 for enabled insights",
    "image_scan_complete": "DescribeImageScanFindings answers 501",
    "lifecycle_policy_preview_complete": "GetLifecyclePolicyPreview answers 501",
    "command_executed": "needs a managed node, which no service of emu starts",
}

# New versions of botocore rename and add waiters; those that this one lacks have nothing to test.
own = {name for names in CASES.values() for name in names}
with urllib.request.urlopen(f"{os.environ['AWS_ENDPOINT_URL']}/_emulator/health") as answer:
    emulated = {name.replace("-", "") for name in json.load(answer)["services"]}
present = [name for name in session.get_available_services() if name.replace("-", "") in emulated]
assert len(present) > 25, present
for service in present:
    unknown = [name for name in client(service).waiter_names if name not in own and name not in ABSENT]
    assert not unknown, (service, unknown)

for service, starts in CASES.items():
    for name, start in starts.items():
        if name in client(service).waiter_names:
            arguments = start(f"waiter-{name.replace('_', '-')}")
            # One attempt, without a sleep: the waiter fails if the state is not reached.
            client(service).get_waiter(name).wait(**arguments, WaiterConfig={"MaxAttempts": 1})
print("ok")
