// see include
