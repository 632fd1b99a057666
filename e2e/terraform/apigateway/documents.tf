variable "changed" {
  description = "whether the second state of the changed resources applies"
  type        = bool
}

data "aws_iam_policy_document" "invoke" {
  statement {
    sid       = "inside"
    actions   = ["execute-api:Invoke"]
    resources = ["arn:aws:execute-api:eu-central-1:123456789012:*/*/GET/orders"]

    principals {
      type        = "AWS"
      identifiers = ["*"]
    }

    condition {
      test     = "IpAddress"
      variable = "aws:SourceIp"
      values   = [var.changed ? "10.0.0.0/8" : "192.168.0.0/16"]
    }
  }
}

resource "aws_api_gateway_rest_api" "imported" {
  name                         = "imported"
  api_key_source               = "HEADER"
  minimum_compression_size     = var.changed ? 2048 : 1024
  disable_execute_api_endpoint = var.changed
  put_rest_api_mode            = "merge"
  fail_on_warnings             = true
  policy                       = data.aws_iam_policy_document.invoke.json

  parameters = {
    basepath = "prepend"
  }

  body = jsonencode({
    openapi = "3.0.1"
    info    = { title = "imported", version = "1.0" }
    paths = {
      "/orders" = {
        get = {
          responses = { "200" = { description = "Orders" } }
          x-amazon-apigateway-integration = {
            type                 = "HTTP_PROXY"
            httpMethod           = "GET"
            uri                  = "https://orders.example/${var.changed ? "v2" : "v1"}"
            payloadFormatVersion = "1.0"
          }
        }
      }
    }
  })

  endpoint_configuration {
    types = ["REGIONAL"]
  }
}

resource "aws_api_gateway_deployment" "imported" {
  rest_api_id = aws_api_gateway_rest_api.imported.id
  description = var.changed ? "second" : "first"

  triggers = {
    redeployment = sha1(aws_api_gateway_rest_api.imported.body)
  }

  lifecycle {
    create_before_destroy = true
  }
}

resource "aws_api_gateway_client_certificate" "backend" {
  description = var.changed ? "Back ends" : "Back end"

  tags = {
    Team = "shop"
  }
}

resource "aws_api_gateway_stage" "imported" {
  rest_api_id           = aws_api_gateway_rest_api.imported.id
  deployment_id         = aws_api_gateway_deployment.imported.id
  stage_name            = "live"
  description           = "Live"
  client_certificate_id = aws_api_gateway_client_certificate.backend.id
  documentation_version = aws_api_gateway_documentation_version.first.version
  cache_cluster_enabled = true
  cache_cluster_size    = var.changed ? "1.6" : "0.5"
  xray_tracing_enabled  = var.changed

  variables = {
    color = var.changed ? "green" : "blue"
  }

  canary_settings {
    deployment_id   = aws_api_gateway_deployment.imported.id
    percent_traffic = 12.5
    use_stage_cache = var.changed

    stage_variable_overrides = {
      color = "red"
    }
  }

  tags = {
    Team = var.changed ? "orders" : "shop"
  }
}

resource "aws_api_gateway_method_settings" "orders" {
  rest_api_id = aws_api_gateway_rest_api.imported.id
  stage_name  = aws_api_gateway_stage.imported.stage_name
  method_path = "orders/GET"

  settings {
    cache_data_encrypted                       = true
    cache_ttl_in_seconds                       = var.changed ? 600 : 60
    caching_enabled                            = true
    data_trace_enabled                         = var.changed
    logging_level                              = "INFO"
    metrics_enabled                            = true
    require_authorization_for_cache_control    = !var.changed
    unauthorized_cache_control_header_strategy = "SUCCEED_WITHOUT_RESPONSE_HEADER"
  }

  depends_on = [aws_api_gateway_account.region]
}

resource "aws_api_gateway_documentation_part" "api" {
  rest_api_id = aws_api_gateway_rest_api.imported.id
  properties  = jsonencode({ description = var.changed ? "Orders of the shop" : "Orders" })

  location {
    type = "API"
  }
}

resource "aws_api_gateway_documentation_part" "method" {
  rest_api_id = aws_api_gateway_rest_api.imported.id
  properties  = "{\"description\":\"Lists orders\"}"

  location {
    type   = "METHOD"
    method = "GET"
    path   = "/orders"
  }
}

resource "aws_api_gateway_documentation_part" "status" {
  rest_api_id = aws_api_gateway_rest_api.imported.id
  properties  = "{\"description\":\"Found\"}"

  location {
    type        = "RESPONSE"
    method      = "GET"
    path        = "/orders"
    status_code = "200"
  }
}

resource "aws_api_gateway_documentation_version" "first" {
  rest_api_id = aws_api_gateway_rest_api.imported.id
  version     = "first"
  description = var.changed ? "The first one" : "First"
  depends_on  = [aws_api_gateway_documentation_part.api]
}

resource "aws_iam_role" "logs" {
  name = "apigateway-logs"

  assume_role_policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect    = "Allow"
      Principal = { Service = "apigateway.amazonaws.com" }
      Action    = "sts:AssumeRole"
    }]
  })
}

resource "aws_iam_role_policy_attachment" "logs" {
  role       = aws_iam_role.logs.name
  policy_arn = "arn:aws:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs"
}

resource "aws_api_gateway_account" "region" {
  cloudwatch_role_arn = aws_iam_role.logs.arn
  reset_on_delete     = true
  depends_on          = [aws_iam_role_policy_attachment.logs]
}

resource "aws_api_gateway_vpc_link" "inside" {
  name        = "inside"
  description = var.changed ? "Load balancer of the shop" : "Load balancer"
  target_arns = ["arn:aws:elasticloadbalancing:eu-central-1:123456789012:loadbalancer/net/shop/0123456789abcdef"]

  tags = {
    Team = "shop"
  }
}

resource "aws_api_gateway_rest_api" "policy" {
  name = "policy"
}

resource "aws_api_gateway_rest_api_policy" "policy" {
  rest_api_id = aws_api_gateway_rest_api.policy.id

  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect    = "Allow"
      Principal = { AWS = "*" }
      Action    = "execute-api:Invoke"
      Resource  = "${aws_api_gateway_rest_api.policy.execution_arn}/*"
      Condition = { StringEquals = { "aws:UserAgent" = var.changed ? "a/\"b\"" : "a/\\b" } }
    }]
  })
}

resource "aws_api_gateway_rest_api" "put" {
  name = "put"

  lifecycle {
    ignore_changes = [policy, binary_media_types]
  }
}

resource "aws_api_gateway_rest_api_put" "put" {
  rest_api_id      = aws_api_gateway_rest_api.put.id
  fail_on_warnings = true

  body = jsonencode({
    swagger = "2.0"
    info    = { title = "put", version = "v1" }
    schemes = ["https"]
    paths = {
      "/orders" = {
        get = {
          responses = { "200" = { description = "OK" } }
          x-amazon-apigateway-integration = {
            type             = "MOCK"
            requestTemplates = { "application/json" = "{\"statusCode\": 200}" }
            responses        = { default = { statusCode = "200" } }
          }
        }
      }
    }
  })

  triggers = {
    redeployment = var.changed ? "2" : "1"
  }
}

resource "aws_api_gateway_domain_name" "private" {
  domain_name     = "private.example.com"
  certificate_arn = "arn:aws:acm:eu-central-1:123456789012:certificate/00000000-0000-4000-8000-000000000000"

  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect    = "Allow"
      Principal = "*"
      Action    = "execute-api:Invoke"
      Resource  = ["execute-api:/*"]
    }]
  })

  endpoint_configuration {
    types = ["PRIVATE"]
  }
}

resource "aws_api_gateway_domain_name_access_association" "private" {
  domain_name_arn                = aws_api_gateway_domain_name.private.arn
  access_association_source_type = "VPCE"
  access_association_source      = "vpce-0123456789abcdef0"
}

resource "aws_api_gateway_base_path_mapping" "private" {
  api_id         = aws_api_gateway_rest_api.imported.id
  stage_name     = aws_api_gateway_stage.imported.stage_name
  domain_name    = aws_api_gateway_domain_name.private.domain_name
  domain_name_id = aws_api_gateway_domain_name.private.domain_name_id
}

resource "aws_api_gateway_domain_name" "edge" {
  domain_name     = "edge.example.com"
  certificate_arn = "arn:aws:acm:us-east-1:123456789012:certificate/00000000-0000-4000-8000-000000000000"
  security_policy = var.changed ? "TLS_1_2" : "TLS_1_0"

  endpoint_configuration {
    types = ["EDGE"]
  }
}
