variable "changed" {
  description = "whether the second state of the changed resources applies"
  type        = bool
}

resource "aws_apigatewayv2_api" "imported" {
  name             = "imported"
  description      = "From a document"
  version          = var.changed ? "2.0" : "1.0"
  protocol_type    = "HTTP"
  fail_on_warnings = true

  cors_configuration {
    allow_credentials = var.changed
    allow_origins     = ["https://shop.example"]
    expose_headers    = ["x-trace"]
  }

  body = jsonencode({
    openapi = "3.0.1"
    info    = { title = "imported", version = var.changed ? "2.0" : "1.0" }
    paths = {
      "/orders" = {
        get = {
          x-amazon-apigateway-integration = {
            type                 = "HTTP_PROXY"
            httpMethod           = "GET"
            payloadFormatVersion = "1.0"
            uri                  = "https://orders.example/${var.changed ? "v2" : "v1"}"
          }
        }
      }
    }
  })

  tags = {
    Team = var.changed ? "shop" : "orders"
  }
}

# Quick create: with a route, an integration and a stage.
resource "aws_apigatewayv2_api" "quick" {
  name          = "quick"
  protocol_type = "HTTP"
  target        = "https://orders.example/${var.changed ? "v2" : "v1"}"
  route_key     = "GET /quick"

  disable_execute_api_endpoint = var.changed
}

resource "aws_apigatewayv2_stage" "imported" {
  api_id      = aws_apigatewayv2_api.imported.id
  name        = "v1"
  auto_deploy = true
  description = var.changed ? "First version" : "First"

  tags = {
    Team = "orders"
  }
}

# An API whose route loses its authorizer in the second state.
resource "aws_apigatewayv2_api" "protected" {
  name          = "protected"
  protocol_type = "HTTP"
}

resource "aws_apigatewayv2_authorizer" "protected" {
  count                             = var.changed ? 0 : 1
  api_id                            = aws_apigatewayv2_api.protected.id
  name                              = "protected"
  authorizer_type                   = "REQUEST"
  authorizer_uri                    = aws_lambda_function.orders.invoke_arn
  authorizer_payload_format_version = "1.0"
  authorizer_credentials_arn        = "arn:aws:iam::123456789012:role/authorizer"
  identity_sources                  = ["$request.header.Authorization"]
}

resource "aws_apigatewayv2_integration" "queue" {
  api_id              = aws_apigatewayv2_api.protected.id
  credentials_arn     = "arn:aws:iam::123456789012:role/orders"
  description         = var.changed ? "Queue" : "Orders"
  integration_type    = "AWS_PROXY"
  integration_subtype = "SQS-SendMessage"

  request_parameters = {
    QueueUrl    = "$request.header.queueUrl"
    MessageBody = "$request.body.${var.changed ? "text" : "message"}"
  }
}

resource "aws_apigatewayv2_integration" "mapped" {
  api_id             = aws_apigatewayv2_api.protected.id
  integration_type   = "HTTP_PROXY"
  integration_uri    = "https://site.example"
  integration_method = "ANY"

  request_parameters = {
    "append:header.trace" = "$context.requestId"
    "overwrite:path"      = var.changed ? "static" : "other"
  }

  response_parameters {
    status_code = 403
    mappings = {
      "append:header.auth" = "$context.authorizer.reason"
    }
  }

  dynamic "response_parameters" {
    for_each = var.changed ? [] : [200]
    content {
      status_code = response_parameters.value
      mappings = {
        "overwrite:statuscode" = "204"
      }
    }
  }
}

resource "aws_apigatewayv2_route" "protected" {
  api_id             = aws_apigatewayv2_api.protected.id
  route_key          = "POST /orders"
  target             = "integrations/${aws_apigatewayv2_integration.queue.id}"
  operation_name     = "order"
  authorization_type = var.changed ? "NONE" : "CUSTOM"
  authorizer_id      = var.changed ? null : aws_apigatewayv2_authorizer.protected[0].id
}

resource "aws_apigatewayv2_route" "signed" {
  api_id             = aws_apigatewayv2_api.protected.id
  route_key          = "GET /orders/{id}"
  target             = "integrations/${aws_apigatewayv2_integration.mapped.id}"
  authorization_type = "AWS_IAM"
}

resource "aws_apigatewayv2_deployment" "protected" {
  api_id      = aws_apigatewayv2_api.protected.id
  description = var.changed ? "second" : "first"

  triggers = {
    redeployment = sha1(jsonencode([aws_apigatewayv2_integration.queue.description]))
  }

  depends_on = [aws_apigatewayv2_route.protected]

  lifecycle {
    create_before_destroy = true
  }
}
