package postgres

import "fmt"

// transpose turns rows of values into a slice per column, of the types that pgx sends without looking at each
// value. All rows have the types of the first.
func transpose(rows [][]any) ([]any, error) {
	arrays := make([]any, len(rows[0]))
	for i, v := range rows[0] {
		switch v.(type) {
		case uint8:
			arrays[i] = integers[uint8](rows, i)
		case uint32:
			arrays[i] = integers[uint32](rows, i)
		case uint64:
			arrays[i] = integers[uint64](rows, i)
		case int64:
			arrays[i] = array[int64](rows, i)
		case float32:
			arrays[i] = array[float32](rows, i)
		case bool:
			arrays[i] = array[bool](rows, i)
		case string:
			arrays[i] = array[string](rows, i)
		case []byte:
			arrays[i] = array[[]byte](rows, i)
		default:
			return nil, fmt.Errorf("postgres: an array of %T", v)
		}
	}
	return arrays, nil
}

func array[T any](rows [][]any, i int) []T {
	list := make([]T, len(rows))
	for n, row := range rows {
		list[n] = row[i].(T)
	}
	return list
}

// integers fit: those out of range were refused before.
func integers[T uint8 | uint32 | uint64](rows [][]any, i int) []int64 {
	list := make([]int64, len(rows))
	for n, row := range rows {
		list[n] = int64(row[i].(T))
	}
	return list
}
