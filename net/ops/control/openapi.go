package control

import (
	"encoding/json"
	"reflect"
	"strings"
)

// Document is the OpenAPI document of operations.
//
// Its form is that of the OpenAPI Specification 3.1.0.
func Document(all []Operation) []byte {
	schemas := make(object)
	paths := make(map[string]object)
	failed := object{"description": "it was not executed", "content": body(reference(reflect.TypeFor[Error](), schemas))}
	for _, o := range all {
		entry := object{
			"operationId": o.Name, "summary": o.Doc,
			"responses": object{
				"200":     object{"description": "it was executed", "content": body(reference(o.Answer, schemas))},
				"default": failed,
			},
		}
		var parameters []object
		payload := object{}
		var required []string
		for i := range o.Request.NumField() {
			f := o.Request.Field(i)
			name, optional := jsonName(f)
			in := f.Tag.Get("in")
			if in == "" {
				payload[name] = described(f, schemas)
				if !optional {
					required = append(required, name)
				}
				continue
			}
			p := object{"name": name, "in": in, "required": in == "path" || !optional, "schema": schemaOf(f.Type, schemas)}
			if doc := f.Tag.Get("doc"); doc != "" {
				p["description"] = doc
			}
			parameters = append(parameters, p)
		}
		if parameters != nil {
			entry["parameters"] = parameters
		}
		if len(payload) > 0 {
			entry["requestBody"] = object{"required": required != nil, "content": body(structure(payload, required))}
		}
		if paths[o.Path] == nil {
			paths[o.Path] = object{}
		}
		paths[o.Path][strings.ToLower(o.Method)] = entry
	}
	text, err := json.MarshalIndent(object{
		"openapi": "3.1.0",
		"info": object{
			"title": "muster", "version": "1",
			"description": "Control of a running server, at its admin address. With a token: Authorization: Bearer TOKEN.",
		},
		"paths":      paths,
		"components": object{"schemas": schemas, "securitySchemes": object{"token": object{"type": "http", "scheme": "bearer"}}},
		"security":   []object{{"token": []string{}}, {}},
	}, "", "  ")
	if err != nil {
		panic(err) // maps, strings and lists can always be written
	}
	return append(text, '\n')
}

type object map[string]any

func body(schema object) object { return object{"application/json": object{"schema": schema}} }

func structure(properties object, required []string) object {
	s := object{"type": "object", "properties": properties, "additionalProperties": false}
	if required != nil {
		s["required"] = required
	}
	return s
}

// described is the schema of a field, with what it is.
func described(f reflect.StructField, schemas object) object {
	s := schemaOf(f.Type, schemas)
	if doc := f.Tag.Get("doc"); doc != "" {
		s["description"] = doc
	}
	return s
}

// reference has the schema of a struct among schemas.
func reference(t reflect.Type, schemas object) object {
	name := strings.ToUpper(t.Name()[:1]) + t.Name()[1:]
	if schemas[name] == nil {
		schemas[name] = object{} // a struct may be in itself
		properties := object{}
		var required []string
		fields(t, func(f reflect.StructField) {
			name, optional := jsonName(f)
			properties[name] = described(f, schemas)
			if !optional {
				required = append(required, name)
			}
		})
		schemas[name] = structure(properties, required)
	}
	return object{"$ref": "#/components/schemas/" + name}
}

// fields are those that are written, those of embedded structs too.
func fields(t reflect.Type, each func(reflect.StructField)) {
	for i := range t.NumField() {
		f := t.Field(i)
		switch name, _ := jsonName(f); {
		case f.Anonymous && f.Type.Kind() == reflect.Pointer:
			fields(f.Type.Elem(), each)
		case f.Anonymous && name == "":
			fields(f.Type, each)
		case f.IsExported() && name != "-":
			each(f)
		}
	}
}

// schemaOf is the schema of a type.
func schemaOf(t reflect.Type, schemas object) object {
	switch t.Kind() {
	case reflect.String:
		return object{"type": "string"}
	case reflect.Bool:
		return object{"type": "boolean"}
	case reflect.Float32, reflect.Float64:
		return object{"type": "number"}
	case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return object{"type": "integer", "minimum": 0}
	case reflect.Int, reflect.Int32, reflect.Int64:
		return object{"type": "integer"}
	case reflect.Slice, reflect.Array:
		return object{"type": "array", "items": schemaOf(t.Elem(), schemas)}
	case reflect.Pointer:
		return schemaOf(t.Elem(), schemas)
	case reflect.Struct:
		return reference(t, schemas)
	}
	panic("control: no schema of a " + t.String())
}
