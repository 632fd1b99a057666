variable "changed" {
  description = "whether the second state of the changed resources applies"
  type        = bool
}

resource "aws_secretsmanager_secret" "changing" {
  name_prefix             = "app/changing-"
  description             = var.changed ? "Second" : "First"
  recovery_window_in_days = 0

  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Sid       = var.changed ? "second" : "first"
      Effect    = "Allow"
      Principal = { AWS = "arn:aws:iam::123456789012:root" }
      Action    = "secretsmanager:GetSecretValue"
      Resource  = "*"
    }]
  })

  dynamic "replica" {
    for_each = var.changed ? ["eu-west-1", "eu-west-3"] : ["eu-west-1"]
    content {
      region = replica.value
    }
  }

  tags = {
    Team = var.changed ? "shop" : "orders"
  }
}

resource "aws_secretsmanager_secret_version" "changing" {
  secret_id     = aws_secretsmanager_secret.changing.id
  secret_string = var.changed ? "second" : "first"
}

resource "aws_secretsmanager_secret" "plain" {
  name                    = "app/plain"
  recovery_window_in_days = 0
}

resource "aws_secretsmanager_secret_version" "binary" {
  secret_id      = aws_secretsmanager_secret.plain.id
  secret_binary  = base64encode("binary")
  version_stages = var.changed ? ["AWSCURRENT", "second"] : ["AWSCURRENT", "first"]
}

resource "aws_secretsmanager_secret" "written" {
  name                    = "app/written"
  recovery_window_in_days = 0
}

resource "aws_secretsmanager_secret_version" "written" {
  secret_id                = aws_secretsmanager_secret.written.id
  secret_string_wo         = var.changed ? "second" : "first"
  secret_string_wo_version = var.changed ? 2 : 1
}

resource "aws_secretsmanager_secret_policy" "plain" {
  secret_arn          = aws_secretsmanager_secret.plain.arn
  block_public_policy = true

  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Sid       = "read"
      Effect    = "Allow"
      Principal = { AWS = "arn:aws:iam::123456789012:root" }
      Action    = var.changed ? ["secretsmanager:GetSecretValue", "secretsmanager:DescribeSecret"] : ["secretsmanager:GetSecretValue"]
      Resource  = "*"
    }]
  })
}

resource "aws_secretsmanager_secret_rotation" "scheduled" {
  secret_id           = aws_secretsmanager_secret.changing.id
  rotation_lambda_arn = aws_lambda_function.rotate.arn
  rotate_immediately  = false
  depends_on          = [aws_lambda_permission.rotate, aws_secretsmanager_secret_version.changing]

  rotation_rules {
    schedule_expression = var.changed ? "cron(0 16 1,15 * ? *)" : "rate(10 days)"
    duration            = "3h"
  }
}
