resource "aws_ssm_parameter" "url" {
  name            = "/app/url"
  description     = "where the application is"
  type            = "String"
  value           = "https://example.com"
  allowed_pattern = "^https://"

  tags = {
    Team = "orders"
  }
}

resource "aws_ssm_parameter" "hosts" {
  name  = "hosts"
  type  = "StringList"
  value = "a,b"
}

resource "aws_ssm_parameter" "password" {
  name  = "/app/password"
  type  = "SecureString"
  value = "hidden"
}

resource "aws_ssm_parameter" "large" {
  name  = "/app/large"
  type  = "String"
  tier  = "Advanced"
  value = join("", [for index in range(1000) : "12345"])
}

data "aws_ssm_parameter" "image" {
  name = "/aws/service/ami-amazon-linux-latest/al2023-ami-kernel-default-x86_64"
}

data "aws_ssm_parameters_by_path" "app" {
  path       = "/app"
  depends_on = [aws_ssm_parameter.url, aws_ssm_parameter.password, aws_ssm_parameter.large]
}

resource "aws_ssm_service_setting" "tier" {
  setting_id    = "arn:aws:ssm:eu-central-1:123456789012:servicesetting/ssm/parameter-store/default-parameter-tier"
  setting_value = "Intelligent-Tiering"
}

output "image" {
  value = nonsensitive(data.aws_ssm_parameter.image.value)
}

resource "aws_ssm_document" "command" {
  name            = "greet"
  document_type   = "Command"
  document_format = "YAML"
  target_type     = "/AWS::EC2::Instance"

  content = <<-YAML
    schemaVersion: "2.2"
    description: Greets somebody
    parameters:
      Who:
        type: String
        default: world
    mainSteps:
      - action: aws:runShellScript
        name: greet
        inputs:
          runCommand: ["echo hello {{ Who }}"]
  YAML

  permissions = {
    type        = "Share"
    account_ids = "111111111111"
  }

  tags = {
    Team = "orders"
  }
}

resource "aws_ssm_document" "runbook" {
  name          = "rest"
  document_type = "Automation"

  content = jsonencode({
    schemaVersion = "0.3"
    mainSteps     = [{ name = "rest", action = "aws:sleep", inputs = { Duration = "PT1S" } }]
  })
}

resource "aws_iam_role" "hybrid" {
  name = "ssm-hybrid"

  assume_role_policy = jsonencode({
    Version   = "2012-10-17"
    Statement = [{ Effect = "Allow", Principal = { Service = "ssm.amazonaws.com" }, Action = "sts:AssumeRole" }]
  })
}

resource "aws_ssm_activation" "machines" {
  name               = "machines"
  description        = "machines of the office"
  iam_role           = aws_iam_role.hybrid.id
  registration_limit = 5

  tags = {
    Team = "orders"
  }
}

data "aws_ssm_document" "shell" {
  name = "AWS-RunShellScript"
}

output "shell" {
  value = data.aws_ssm_document.shell.document_type
}
