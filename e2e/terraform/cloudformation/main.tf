resource "aws_cloudformation_stack" "network" {
  name         = "tf-orders"
  capabilities = ["CAPABILITY_NAMED_IAM"]
  on_failure   = "ROLLBACK"

  parameters = {
    Retention = "120"
  }

  tags = {
    Team = "orders"
  }

  template_body = jsonencode({
    Parameters = {
      Retention = { Type = "Number", Default = 60 }
    }
    Resources = {
      Orders = {
        Type = "AWS::SQS::Queue"
        Properties = {
          QueueName              = "tf-stack-orders"
          MessageRetentionPeriod = { Ref = "Retention" }
        }
      }
      Stream = {
        Type       = "AWS::Kinesis::Stream"
        Properties = { ShardCount = 1 }
      }
    }
    Outputs = {
      QueueUrl = { Value = { Ref = "Orders" } }
      Stream   = { Value = { "Fn::GetAtt" = ["Stream", "Arn"] }, Export = { Name = "tf-stream" } }
    }
  })
}

data "aws_cloudformation_stack" "network" {
  name = aws_cloudformation_stack.network.name
}

resource "aws_cloudcontrolapi_resource" "parameter" {
  type_name = "AWS::Logs::LogGroup"

  desired_state = jsonencode({
    LogGroupName    = "/tf/cloudcontrol"
    RetentionInDays = 7
  })

  # Set explicitly, so that planning does not look it up.
  schema = jsonencode({
    typeName = "AWS::Logs::LogGroup"
    properties = {
      LogGroupName    = { type = "string" }
      RetentionInDays = { type = "integer" }
      Arn             = { type = "string" }
    }
    additionalProperties = false
    primaryIdentifier    = ["/properties/LogGroupName"]
    readOnlyProperties   = ["/properties/Arn"]
    createOnlyProperties = ["/properties/LogGroupName"]
  })
}

resource "aws_resourcegroups_group" "orders" {
  name        = "tf-orders"
  description = "what the team has"

  resource_query {
    query = jsonencode({
      ResourceTypeFilters = ["AWS::SQS::Queue"]
      TagFilters          = [{ Key = "Team", Values = ["orders"] }]
    })
  }

  tags = {
    Team = "orders"
  }
}

data "aws_resourcegroupstaggingapi_resources" "orders" {
  resource_type_filters = ["sqs"]

  tag_filter {
    key    = "Team"
    values = ["orders"]
  }

  depends_on = [aws_cloudformation_stack.network]
}

output "queue" {
  value = data.aws_cloudformation_stack.network.outputs["QueueUrl"]
}

output "tagged" {
  value = [for found in data.aws_resourcegroupstaggingapi_resources.orders.resource_tag_mapping_list : found.resource_arn]
}
