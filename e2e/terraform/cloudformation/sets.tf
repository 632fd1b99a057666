variable "changed" {
  description = "whether the second state of the changed resources applies"
  type        = bool
}

resource "aws_iam_role" "administration" {
  name = "AWSCloudFormationStackSetAdministrationRole"

  assume_role_policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect    = "Allow"
      Principal = { Service = "cloudformation.amazonaws.com" }
      Action    = "sts:AssumeRole"
    }]
  })
}

resource "aws_iam_role_policy" "administration" {
  role = aws_iam_role.administration.name

  policy = jsonencode({
    Version   = "2012-10-17"
    Statement = [{ Effect = "Allow", Action = "sts:AssumeRole", Resource = "arn:aws:iam::*:role/AWSCloudFormationStackSetExecutionRole" }]
  })
}

resource "aws_iam_role" "execution" {
  name = "AWSCloudFormationStackSetExecutionRole"

  assume_role_policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect    = "Allow"
      Principal = { AWS = aws_iam_role.administration.arn }
      Action    = "sts:AssumeRole"
    }]
  })
}

resource "aws_iam_role_policy" "execution" {
  role = aws_iam_role.execution.name

  policy = jsonencode({
    Version   = "2012-10-17"
    Statement = [{ Effect = "Allow", Action = "*", Resource = "*" }]
  })
}

resource "aws_cloudformation_stack_set" "queues" {
  name                    = "queues"
  description             = var.changed ? "Second" : "First"
  administration_role_arn = aws_iam_role.administration.arn
  execution_role_name     = aws_iam_role.execution.name
  capabilities            = ["CAPABILITY_IAM"]
  depends_on              = [aws_iam_role_policy.administration, aws_iam_role_policy.execution]

  parameters = {
    Retention = var.changed ? "240" : "120"
  }

  template_body = jsonencode({
    Parameters = { Retention = { Type = "Number", Default = 60 } }
    Resources = {
      Orders = { Type = "AWS::SQS::Queue", Properties = { MessageRetentionPeriod = { Ref = "Retention" } } }
    }
  })

  operation_preferences {
    max_concurrent_count    = 1
    failure_tolerance_count = 0
  }

  tags = {
    Kind = var.changed ? "shop" : "orders"
  }
}

resource "aws_cloudformation_stack_set_instance" "here" {
  stack_set_name = aws_cloudformation_stack_set.queues.name
  account_id     = "123456789012"
  region         = "eu-central-1"

  parameter_overrides = {
    Retention = var.changed ? "360" : "180"
  }
}

resource "aws_cloudformation_stack_set" "topics" {
  name                    = "topics"
  administration_role_arn = aws_iam_role.administration.arn
  depends_on              = [aws_iam_role_policy.administration, aws_iam_role_policy.execution]

  template_body = jsonencode({
    Resources = { Orders = { Type = "AWS::SNS::Topic" } }
  })
}

resource "aws_cloudformation_stack_instances" "topics" {
  stack_set_name = aws_cloudformation_stack_set.topics.name
  accounts       = ["123456789012"]
  regions        = var.changed ? ["eu-west-1", "eu-west-3"] : ["eu-west-1"]
}

resource "aws_cloudformation_stack" "changing" {
  name               = "tf-changing"
  disable_rollback   = false
  timeout_in_minutes = 30
  notification_arns  = var.changed ? [] : [aws_sns_topic.stacks.arn]

  policy_body = jsonencode({
    Statement = [{ Effect = "Allow", Action = "Update:*", Principal = "*", Resource = "*" }]
  })

  parameters = {
    Retention = var.changed ? "240" : "120"
  }

  template_body = <<-E
    Parameters:
      Retention:
        Type: Number
    Resources:
      Orders:
        Type: AWS::SQS::Queue
        Properties:
          MessageRetentionPeriod: !Ref Retention
    Outputs:
      Name:
        Value: !GetAtt Orders.QueueName
  E

  tags = {
    Kind = var.changed ? "shop" : "orders"
  }
}

resource "aws_sns_topic" "stacks" {
  name = "cloudformation-stacks"
}

resource "aws_resourcegroups_group" "members" {
  name        = "tf-members"
  description = var.changed ? "Second" : "First"

  configuration {
    type = "AWS::ResourceGroups::Generic"

    parameters {
      name   = "allowed-resource-types"
      values = ["AWS::EC2::Host"]
    }
  }
}
