def own_part(gathered, lengths, me):
    first = sum(lengths[:me])
    return gathered[first : first + lengths[me]]
